import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AccountHolder, PaymentMethodDetails } from '@tillstream/contracts';
import type { HolderPersonal, TokenPersonal } from '@tillstream/domain';
import type { AccountHolders, HolderView } from '@tillstream/payments';
import type { Log } from '@tillstream/platform';
import { accountHolderShape, tokenListItem } from '@tillstream/presentation';
import type {
  HolderFilters,
  List,
  ListRequest,
  ReadModelQueries,
  TimeSort,
  TokenFilters,
} from '@tillstream/read-models';
import type { Vault } from '@tillstream/vault';
import { ACCOUNT_HOLDERS, LISTS, LOG, VAULT } from '../api.parts.js';
import { hashOfExternalId } from '@tillstream/payments';
import { openedPersonal, showable, vaultTrouble } from '../transactions/opened.personal.js';

/** Undefined: unknown, erased or another merchant's. */
export class FindAccountHolder extends Query<HolderView | undefined> {
  constructor(
    readonly merchantId: string,
    /** An `acc_` id or the merchant's own external id. */
    readonly id: string,
  ) {
    super();
  }
}

export class ListAccountHolders extends Query<List<AccountHolder>> {
  constructor(
    readonly request: ListRequest<HolderFilters, TimeSort>,
    /** Any of these. */
    readonly externalIds: readonly string[] | undefined,
  ) {
    super();
  }
}

export class ListTokensOfHolder extends Query<List<PaymentMethodDetails>> {
  constructor(
    readonly request: ListRequest<TokenFilters, TimeSort>,
    readonly accountHolderId: string,
  ) {
    super();
  }
}

@QueryHandler(FindAccountHolder)
export class FindAccountHolderHandler implements IQueryHandler<FindAccountHolder> {
  constructor(@Inject(ACCOUNT_HOLDERS) private readonly holders: AccountHolders) {}

  execute({ merchantId, id }: FindAccountHolder): Promise<HolderView | undefined> {
    return this.holders.find(merchantId, id);
  }
}

@QueryHandler(ListAccountHolders)
export class ListAccountHoldersHandler implements IQueryHandler<ListAccountHolders> {
  constructor(
    @Inject(LISTS) private readonly lists: ReadModelQueries,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'open'>,
  ) {}

  async execute({ request, externalIds }: ListAccountHolders): Promise<List<AccountHolder>> {
    const page = await this.lists.holders.list({
      ...request,
      ...(externalIds && { filters: { externalIdHash: externalIds.map(hashOfExternalId) } }),
    });
    const personal = await openedPersonal<HolderPersonal>(this.vault, page.items);
    const items = page.items.map(({ body }, index) => {
      const kept = JSON.parse(body) as Pick<AccountHolder, 'id' | 'createdAt' | 'updatedAt'>;
      return accountHolderShape({ ...kept, personal: personal[index] ?? {} });
    });
    return { ...page, items };
  }
}

@QueryHandler(ListTokensOfHolder)
export class ListTokensOfHolderHandler implements IQueryHandler<ListTokensOfHolder> {
  constructor(
    @Inject(LISTS) private readonly lists: ReadModelQueries,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'open'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async execute({ request, accountHolderId }: ListTokensOfHolder): Promise<List<PaymentMethodDetails>> {
    const page = await this.lists.tokens.list({ ...request, accountHolderId });
    const personal = await openedPersonal<TokenPersonal>(this.vault, page.items, vaultTrouble(this.log));
    const items = page.items.map(({ body, channel }, index) =>
      tokenListItem(JSON.parse(body) as PaymentMethodDetails, showable(personal[index], channel)),
    );
    return { ...page, items };
  }
}

export const ACCOUNT_HOLDER_QUERY_HANDLERS = [
  FindAccountHolderHandler,
  ListAccountHoldersHandler,
  ListTokensOfHolderHandler,
];
