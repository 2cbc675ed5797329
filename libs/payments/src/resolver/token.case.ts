import {
  findTokenOperation,
  streamOfTokenOperation,
  type Merchant,
  type OperationId,
  type Token,
  type TokenOperation,
} from '@tillstream/domain';
import type { Cause } from '../event-metadata.js';
import type { LoadedToken } from '../journals.js';
import { causeOf, type ResolveParts } from './case.js';

/** A token in hand, as the handlers need it. */
export interface TokenCase {
  readonly merchant: Merchant;
  readonly loaded: LoadedToken;
  readonly token: Token;
  readonly operation: TokenOperation;
  readonly cause: Cause;
}

export async function loadToken(
  parts: Pick<ResolveParts, 'tokens' | 'merchant' | 'onBehalfOf'>,
  operationId: OperationId,
): Promise<TokenCase | undefined> {
  const stream = streamOfTokenOperation(operationId);
  const loaded = stream && (await parts.tokens.load(stream));
  if (!loaded || loaded.state.status === 'None') return undefined;
  const operation = findTokenOperation(loaded.state, operationId);
  const merchant = await parts.merchant(loaded.state.merchantId);
  if (!operation || !merchant) return undefined;
  const cause = causeOf(parts, merchant.id, operationId);
  return { merchant, loaded, token: loaded.state, operation, cause };
}
