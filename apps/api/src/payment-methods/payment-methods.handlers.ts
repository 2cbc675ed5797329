import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { PaymentMethodDetails } from '@tillstream/contracts';
import type { TokenPersonal } from '@tillstream/domain';
import type { AccountHolders } from '@tillstream/payments';
import type { Log } from '@tillstream/platform';
import { tokenListItem } from '@tillstream/presentation';
import type {
  List,
  ListItem,
  ListRequest,
  PaymentMethodFilters,
  ReadModelQueries,
  TimeSort,
  TokenFilters,
} from '@tillstream/read-models';
import type { Vault } from '@tillstream/vault';
import { ACCOUNT_HOLDERS, LISTS, LOG, PAYMENT_METHOD_LIST, VAULT } from '../api.parts.js';
import { logVaultFailure, openedPersonal, showable } from '../transactions/personal-data.js';

export class ListPaymentMethods extends Query<List<ListItem>> {
  constructor(readonly request: ListRequest<PaymentMethodFilters, 'createdAt'>) {
    super();
  }
}

@QueryHandler(ListPaymentMethods)
export class ListPaymentMethodsHandler implements IQueryHandler<ListPaymentMethods> {
  constructor(
    @Inject(PAYMENT_METHOD_LIST) private readonly paymentMethods: ReadModelQueries['paymentMethods'],
  ) {}

  execute({ request }: ListPaymentMethods): Promise<List<ListItem>> {
    return this.paymentMethods.list(request);
  }
}

/** `holderId`: an `acc_` id or the merchant's own external id. Undefined: the merchant has no such holder. */
export class ListTokensOfHolder extends Query<List<PaymentMethodDetails> | undefined> {
  constructor(
    readonly merchantId: string,
    readonly holderId: string,
    readonly request: ListRequest<TokenFilters, TimeSort>,
  ) {
    super();
  }
}

@QueryHandler(ListTokensOfHolder)
export class ListTokensOfHolderHandler implements IQueryHandler<ListTokensOfHolder> {
  constructor(
    @Inject(ACCOUNT_HOLDERS) private readonly holders: AccountHolders,
    @Inject(LISTS) private readonly lists: ReadModelQueries,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'open'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  async execute({
    merchantId,
    holderId,
    request,
  }: ListTokensOfHolder): Promise<List<PaymentMethodDetails> | undefined> {
    const holder = await this.holders.find(merchantId, holderId);
    if (!holder) return undefined;
    const page = await this.lists.tokens.list({ ...request, accountHolderId: holder.id });
    const personal = await openedPersonal<TokenPersonal>(this.vault, page.items, logVaultFailure(this.log));
    const items = page.items.map(({ body, channel }, index) =>
      tokenListItem(JSON.parse(body) as PaymentMethodDetails, showable(personal[index], channel)),
    );
    return { ...page, items };
  }
}

export const PAYMENT_METHOD_HANDLERS = [ListPaymentMethodsHandler, ListTokensOfHolderHandler];
