import { Inject, Injectable } from '@nestjs/common';
import type { TransactionResult } from '@tillstream/contracts';
import { parseOperationId, type OperationId, type Payment, type TokenPersonal } from '@tillstream/domain';
import type { Payments, StoredCards, TokenDetails, TokenResult } from '@tillstream/payments';
import type { Log } from '@tillstream/platform';
import { tokenOperationResult, transactionResult, withTokenDetails } from '@tillstream/presentation';
import type {
  List,
  ListRequest,
  ReadModelQueries,
  TransactionFilters,
  TransactionItem,
  TransactionSort,
} from '@tillstream/read-models';
import { errorMessage } from '@tillstream/runtime';
import type { Vault } from '@tillstream/vault';
import { LISTS, LOG, PAYMENTS, STORED_CARDS, VAULT } from '../api.parts.js';
import { openedPersonal, showable, logVaultFailure } from './personal-data.js';
import type { AnsweredResult } from './operation.errors.js';

interface PaymentOperation {
  readonly payment: Payment;
  readonly operationId: OperationId;
}
type TokenOperation = Omit<Extract<TokenResult, { kind: 'Answered' }>, 'kind'>;

/**
 * Transactions as their merchant sees them, with the facts of their tokens. The same state has the same bytes in the
 * response to the operation, in a single read and in a list.
 */
@Injectable()
export class TransactionResults {
  constructor(
    @Inject(STORED_CARDS) private readonly storedCards: StoredCards,
    @Inject(LISTS) private readonly lists: ReadModelQueries,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'open'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** The items are JSON texts of results. */
  async list(request: ListRequest<TransactionFilters, TransactionSort>): Promise<List<string>> {
    const page = await this.lists.transactions.list(request);
    return { ...page, items: await this.rows(page.items) };
  }

  /** The money's outcome is shown even if the facts of the token can't be read now. */
  async answered(result: AnsweredResult): Promise<TransactionResult> {
    if ('token' in result) return tokenResult(result);
    const facts = result.facts ?? (await this.storedCards.detailsOf(result.payment).catch(this.logged));
    return paymentResult(result, facts);
  }

  /** JSON texts. Only those with a token are parsed and written again; their personal data is opened in one call. */
  private async rows(items: readonly TransactionItem[]): Promise<readonly string[]> {
    const tokenIds = [...new Set(items.flatMap(({ tokenId }) => (tokenId === undefined ? [] : [tokenId])))];
    if (tokenIds.length === 0) return items.map(({ body }) => body);
    const [listed, personal] = await Promise.all([
      this.lists.tokens.facts(tokenIds),
      openedPersonal<TokenPersonal>(this.vault, items, logVaultFailure(this.log)),
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

  private readonly logged = (error: unknown): undefined => {
    this.log.error('token-facts-not-found', {
      error: errorMessage(error),
    });
    return undefined;
  };
}

/** Finds one transaction by its id, from its stream. */
@Injectable()
export class TransactionLookup {
  constructor(
    @Inject(PAYMENTS) private readonly payments: Payments,
    @Inject(STORED_CARDS) private readonly storedCards: StoredCards,
  ) {}

  /** Undefined: unknown, or another merchant's. */
  async find(merchantId: string, transactionId: string): Promise<TransactionResult | undefined> {
    const ofToken = parseOperationId(transactionId)?.category === 'token';
    const found = await (ofToken ? this.storedCards : this.payments).find(merchantId, transactionId);
    if (!found) return undefined;
    if ('token' in found) return tokenResult(found);
    return paymentResult(found, await this.storedCards.detailsOf(found.payment));
  }
}

function paymentResult(
  { payment, operationId }: PaymentOperation,
  facts: TokenDetails | undefined,
): TransactionResult {
  const result = transactionResult(payment, operationId);
  return facts ? withTokenDetails(result, facts) : result;
}

function tokenResult({ token, operationId, facts }: TokenOperation): TransactionResult {
  return withTokenDetails(tokenOperationResult(token, operationId), facts);
}
