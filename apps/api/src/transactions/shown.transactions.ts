import { Inject, Injectable } from '@nestjs/common';
import type { TransactionResult } from '@tillstream/contracts';
import type { OperationId, Payment, TokenPersonal } from '@tillstream/domain';
import type { StoredCards, TokenDetails, TokenResult } from '@tillstream/payments';
import type { Log } from '@tillstream/platform';
import { tokenOperationResult, transactionResult, withTokenDetails } from '@tillstream/presentation';
import type { ReadModelQueries, TransactionItem } from '@tillstream/read-models';
import type { Vault } from '@tillstream/vault';
import { LISTS, LOG, STORED_CARDS, VAULT } from '../api.parts.js';
import { openedPersonal, showable, vaultTrouble } from './opened.personal.js';
import type { AnsweredResult } from './operation.answer.js';

export interface OfPayment {
  readonly payment: Payment;
  readonly operationId: OperationId;
}
export type OfToken = Omit<Extract<TokenResult, { kind: 'Answered' }>, 'kind'>;

/**
 * Transactions as their merchant sees them, with what is known of their tokens: the same state has the same bytes in the
 * operation's own answer, in a look and in a list.
 */
@Injectable()
export class ShownTransactions {
  constructor(
    @Inject(STORED_CARDS) private readonly storedCards: StoredCards,
    @Inject(LISTS) private readonly lists: ReadModelQueries,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'open'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async one(found: OfPayment | OfToken): Promise<TransactionResult> {
    if ('token' in found) return ofToken(found);
    return ofPayment(found, await this.storedCards.detailsOf(found.payment));
  }

  /** What money did is told, even where nothing can be found out about the token now. */
  async answered(result: AnsweredResult): Promise<TransactionResult> {
    if ('token' in result) return ofToken(result);
    const facts = result.facts ?? (await this.storedCards.detailsOf(result.payment).catch(this.unknown));
    return ofPayment(result, facts);
  }

  /** JSON texts. Only those with a token are read and written anew; their personal data is opened all at once. */
  async rows(items: readonly TransactionItem[]): Promise<readonly string[]> {
    const tokenIds = [...new Set(items.flatMap(({ tokenId }) => (tokenId === undefined ? [] : [tokenId])))];
    if (tokenIds.length === 0) return items.map(({ body }) => body);
    const [listed, personal] = await Promise.all([
      this.lists.tokens.facts(tokenIds),
      openedPersonal<TokenPersonal>(this.vault, items, vaultTrouble(this.log)),
    ]);
    return items.map(({ body, tokenId }, index) => {
      if (tokenId === undefined) return body;
      const { dateDeleted, channel } = listed.get(tokenId) ?? {};
      const facts: TokenDetails = {
        id: tokenId,
        ...showable(personal[index], channel),
        ...(dateDeleted !== undefined && { dateDeleted }),
      };
      return JSON.stringify(withTokenDetails(JSON.parse(body) as TransactionResult, facts));
    });
  }

  private readonly unknown = (error: unknown): undefined => {
    this.log.error('token-facts-not-found', {
      error: error instanceof Error ? error.message : String(error),
    });
    return undefined;
  };
}

function ofPayment({ payment, operationId }: OfPayment, facts: TokenDetails | undefined): TransactionResult {
  const result = transactionResult(payment, operationId);
  return facts ? withTokenDetails(result, facts) : result;
}

function ofToken({ token, operationId, facts }: OfToken): TransactionResult {
  return withTokenDetails(tokenOperationResult(token, operationId), facts);
}
