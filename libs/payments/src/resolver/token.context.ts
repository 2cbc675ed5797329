import {
  findTokenOperation,
  type Merchant,
  type OperationId,
  type Token,
  type TokenOperation,
} from '@tillstream/domain';
import type { Cause } from '../stream-repository/event-metadata.js';
import type { LoadedToken } from '../stream-repository/stream-repositories.js';
import { loadAttemptContext } from './attempt.context.js';
import type { ResolverParts } from './payment.context.js';

/** A token in hand, as the handlers need it. */
export interface TokenContext {
  readonly merchant: Merchant;
  readonly loaded: LoadedToken;
  readonly token: Token;
  readonly operation: TokenOperation;
  readonly cause: Cause;
}

export async function loadTokenContext(
  parts: Pick<ResolverParts, 'verificationSender' | 'findMerchant' | 'onBehalfOf'>,
  operationId: OperationId,
): Promise<TokenContext | undefined> {
  const found = await loadAttemptContext(parts, parts.verificationSender, operationId);
  const token = found?.loaded.state;
  if (!token || token.status === 'None') return undefined;
  const operation = findTokenOperation(token, operationId);
  return operation && { ...found, token, operation };
}
