import {
  findTokenOperation,
  type OperationId,
  type Token,
  type TokenOperation,
  type TokenState,
} from '@tillstream/domain';
import { loadAttemptContext, type AttemptContext } from './attempt.context.js';
import type { ResolverParts } from './payment.context.js';

/** A token and one of its operations. */
export interface TokenContext extends AttemptContext<TokenState> {
  readonly token: Token;
  readonly operation: TokenOperation;
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
