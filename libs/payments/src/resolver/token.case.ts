import {
  findTokenOperation,
  type Merchant,
  type OperationId,
  type Token,
  type TokenOperation,
} from '@tillstream/domain';
import type { Cause } from '../event-metadata.js';
import type { LoadedToken } from '../journals.js';
import { loadAttempt } from './attempt.case.js';
import type { ResolveParts } from './case.js';

/** A token in hand, as the handlers need it. */
export interface TokenCase {
  readonly merchant: Merchant;
  readonly loaded: LoadedToken;
  readonly token: Token;
  readonly operation: TokenOperation;
  readonly cause: Cause;
}

export async function loadToken(
  parts: Pick<ResolveParts, 'verificationSender' | 'merchant' | 'onBehalfOf'>,
  operationId: OperationId,
): Promise<TokenCase | undefined> {
  const found = await loadAttempt(parts, parts.verificationSender, operationId);
  const token = found?.loaded.state;
  if (!token || token.status === 'None') return undefined;
  const operation = findTokenOperation(token, operationId);
  return operation && { ...found, token, operation };
}
