import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { TransactionResult } from '@tillstream/contracts';
import { parseOperationId, type TokenPersonal } from '@tillstream/domain';
import type { HistoryPage, Payments, StoredCards, TokenDetails } from '@tillstream/payments';
import type { Log } from '@tillstream/platform';
import { withTokenDetails, type PresentedResult } from '@tillstream/presentation';
import type {
  List,
  ListRequest,
  ReadModelQueries,
  TransactionFilters,
  TransactionItem,
  TransactionSort,
} from '@tillstream/read-models';
import type { Vault } from '@tillstream/vault';
import { LISTS, LOG, PAYMENTS, STORED_CARDS, VAULT } from '../api.parts.js';
import { FormLinks } from '../hosted-form/form.links.js';
import { logVaultFailure, openedPersonal, showable } from './personal-data.js';
import { paymentResult, tokenResult } from './transaction.results.js';

/** One transaction, from its stream. Undefined: unknown, or another merchant's. */
export class FindTransaction extends Query<TransactionResult | undefined> {
  constructor(
    readonly merchantId: string,
    readonly transactionId: string,
  ) {
    super();
  }
}

@QueryHandler(FindTransaction)
export class FindTransactionHandler implements IQueryHandler<FindTransaction> {
  constructor(
    @Inject(PAYMENTS) private readonly payments: Payments,
    @Inject(STORED_CARDS) private readonly storedCards: StoredCards,
    private readonly links: FormLinks,
  ) {}

  async execute({ merchantId, transactionId }: FindTransaction): Promise<TransactionResult | undefined> {
    const ofToken = parseOperationId(transactionId)?.category === 'token';
    const found = await (ofToken ? this.storedCards : this.payments).find(merchantId, transactionId);
    if (!found) return undefined;
    if ('token' in found) return this.links.linked(tokenResult(found));
    return this.links.linked(paymentResult(found, await this.storedCards.detailsOf(found.payment)));
  }
}

/** The items are JSON texts of results. */
export class ListTransactions extends Query<List<string>> {
  constructor(readonly request: ListRequest<TransactionFilters, TransactionSort>) {
    super();
  }
}

@QueryHandler(ListTransactions)
export class ListTransactionsHandler implements IQueryHandler<ListTransactions> {
  constructor(
    @Inject(LISTS) private readonly lists: ReadModelQueries,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'open'>,
    @Inject(LOG) private readonly log: Log,
    private readonly links: FormLinks,
  ) {}

  async execute({ request }: ListTransactions): Promise<List<string>> {
    const page = await this.lists.transactions.list(request);
    return { ...page, items: await this.rows(page.items) };
  }

  /** JSON texts. Only those with a token are parsed and written again; their personal data is opened in one call. */
  private async rows(items: readonly TransactionItem[]): Promise<readonly string[]> {
    const tokenIds = [...new Set(items.flatMap(({ tokenId }) => (tokenId === undefined ? [] : [tokenId])))];
    if (tokenIds.length === 0) return items.map(({ body }) => this.links.linkedText(body));
    const [listed, personal] = await Promise.all([
      this.lists.tokens.facts(tokenIds),
      openedPersonal<TokenPersonal>(this.vault, items, logVaultFailure(this.log)),
    ]);
    return items.map(({ body, tokenId }, index) => {
      if (tokenId === undefined) return this.links.linkedText(body);
      const { dateDeleted, channel } = listed.get(tokenId) ?? {};
      const facts: TokenDetails = {
        id: tokenId,
        ...showable(personal[index], channel),
        ...(dateDeleted !== undefined && { dateDeleted }),
      };
      return this.links.linkedText(
        JSON.stringify(withTokenDetails(JSON.parse(body) as PresentedResult, facts)),
      );
    });
  }
}

type History = Awaited<ReturnType<Payments['history']>>;

/** Undefined: unknown, or another merchant's. */
export class ReadHistory extends Query<History> {
  constructor(
    readonly merchantId: string,
    readonly transactionId: string,
    readonly page: HistoryPage,
  ) {
    super();
  }
}

@QueryHandler(ReadHistory)
export class ReadHistoryHandler implements IQueryHandler<ReadHistory> {
  constructor(@Inject(PAYMENTS) private readonly payments: Payments) {}

  execute({ merchantId, transactionId, page }: ReadHistory): Promise<History> {
    return this.payments.history(merchantId, transactionId, page);
  }
}

export const TRANSACTION_HANDLERS = [FindTransactionHandler, ListTransactionsHandler, ReadHistoryHandler];
