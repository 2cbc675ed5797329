import {
  findTokenOperation,
  streamOfToken,
  streamOfTokenOperation,
  type OperationId,
  type Payment,
  type PaymentMethodSnapshot,
  type Token,
  type TokenOperation,
  type TokenPersonal,
} from '@tillstream/domain';
import { VaultError } from '@tillstream/vault';
import {
  type LoadedToken,
  type StoredToken,
  type TokenRepository,
  isStored,
} from '../stream-repository/repositories.js';
import { openTokenPersonal } from './vault.codec.js';
import type { TokenDetails, TokenResult } from './stored-card.types.js';
import type { Parts } from '../parts.js';

/** Reads the details of a token that clients may see, from its history and from the vault. */
export class TokenDetailsReader {
  constructor(private readonly parts: Pick<Parts, 'tokens' | 'vault' | 'log'>) {}

  async ofPayment({ paymentMethod }: Payment): Promise<TokenDetails | undefined> {
    const stream = paymentMethod.type === 'Token' ? streamOfToken(paymentMethod.id) : undefined;
    if (!stream) return undefined;
    const { state } = await this.parts.tokens.load(stream);
    return state.status === 'None' ? undefined : this.ofSnapshot(state, paymentMethod);
  }

  async find(
    merchantId: string,
    transactionId: string,
  ): Promise<
    { readonly token: Token; readonly operationId: OperationId; readonly facts: TokenDetails } | undefined
  > {
    const found = await findOwnTokenOperation(this.parts.tokens, merchantId, transactionId);
    if (!found) return undefined;
    const { token, operation } = found;
    const facts = await this.ofSnapshot(token, operation.paymentMethod);
    return { token, operationId: operation.id, facts };
  }

  /**
   * The result of an operation on a token, from its history. The details are those at the end of the operation, except
   * that a removal always shows. `facts`: the details, if the caller has them already.
   */
  async tokenResult(
    { state }: LoadedToken,
    operationId: OperationId,
    facts?: TokenDetails,
  ): Promise<TokenResult> {
    const operation = findTokenOperation(state, operationId);
    if (state.status === 'None' || !operation) return { kind: 'NotStored' };
    const { status } = operation.progress;
    if (status === 'NotSent') return { kind: 'NotSent', token: state, operationId };
    if (status === 'InFlight' || status === 'Interrupted') return { kind: 'Interrupted', operationId };
    return {
      kind: 'Answered',
      token: state,
      operationId,
      facts: facts ?? (await this.ofSnapshot(state, operation.paymentMethod)),
    };
  }

  /** Leaves personal data out if the vault is unavailable. */
  private async ofSnapshot(token: Token, snapshot: PaymentMethodSnapshot | undefined): Promise<TokenDetails> {
    if (token.status === 'Removed' || !snapshot?.personal) return tokenDetails(token, undefined);
    try {
      return tokenDetails(token, await openTokenPersonal(this.parts.vault, snapshot.personal));
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      this.parts.log.warn('personal-data-not-opened', { reason: error.code });
      return tokenDetails(token, undefined);
    }
  }
}

/** Shows `billingContact` only for tokens from a form (`docs/spec/payment-methods.md#billing-contact`). */
export function tokenDetails(token: Token, personal: TokenPersonal | undefined): TokenDetails {
  const { id, removedAt, channel } = token;
  if (removedAt !== undefined) return { id, dateDeleted: removedAt };
  const { cardExpDate, billingContact } = personal ?? {};
  return {
    id,
    ...(cardExpDate !== undefined && { cardExpDate }),
    ...(billingContact && channel !== 'CardPresent' && { billingContact }),
  };
}

/** Undefined if the id is unknown or another merchant's. */
export async function findOwnTokenOperation(
  tokens: TokenRepository,
  merchantId: string,
  transactionId: string,
): Promise<
  { readonly stream: string; readonly token: Token; readonly operation: TokenOperation } | undefined
> {
  const loaded = await loadOwn(tokens, merchantId, streamOfTokenOperation(transactionId));
  const operation = loaded?.state.operations.find(({ id }) => id === transactionId);
  return loaded && operation && { stream: loaded.stream, token: loaded.state, operation };
}

/** Undefined if this is not the id of a token of the merchant. */
export function loadOwnToken(
  tokens: TokenRepository,
  merchantId: string,
  tokenId: string,
): Promise<StoredToken | undefined> {
  return loadOwn(tokens, merchantId, streamOfToken(tokenId));
}

async function loadOwn(
  tokens: TokenRepository,
  merchantId: string,
  stream: string | undefined,
): Promise<StoredToken | undefined> {
  const loaded = stream === undefined ? undefined : await tokens.load(stream);
  return loaded && isStored(loaded) && loaded.state.merchantId === merchantId ? loaded : undefined;
}

export const tokenNotFound = { code: 'TokenNotFound', message: 'There is no such token.' } as const;
