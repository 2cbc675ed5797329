import { Inject } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  type ICommandHandler,
  Query,
  QueryHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import type { AccountHolder } from '@tillstream/contracts';
import type { HolderPersonal } from '@tillstream/domain';
import {
  hashOfExternalId,
  type AccountHolders,
  type HolderResult,
  type HolderView,
  type RequestContext,
} from '@tillstream/payments';
import { accountHolderShape } from '@tillstream/presentation';
import type { List, ListRequest, ReadModelQueries, TimeSort } from '@tillstream/read-models';
import type { Vault } from '@tillstream/vault';
import { ACCOUNT_HOLDERS, LISTS, VAULT } from '../api.parts.js';
import { openedPersonal } from '../transactions/personal-data.js';

/* Repeated under the same command id, a command does nothing a second time. */

export class CreateAccountHolder extends Command<HolderResult> {
  constructor(
    readonly context: RequestContext,
    readonly fields: HolderPersonal,
  ) {
    super();
  }
}

@CommandHandler(CreateAccountHolder)
export class CreateAccountHolderHandler implements ICommandHandler<CreateAccountHolder> {
  constructor(@Inject(ACCOUNT_HOLDERS) private readonly holders: AccountHolders) {}

  execute({ context, fields }: CreateAccountHolder): Promise<HolderResult> {
    return this.holders.create(context, fields, context.idempotency?.commandId);
  }
}

export class ChangeAccountHolder extends Command<HolderResult> {
  constructor(
    readonly context: RequestContext,
    readonly id: string,
    readonly fields: HolderPersonal,
  ) {
    super();
  }
}

@CommandHandler(ChangeAccountHolder)
export class ChangeAccountHolderHandler implements ICommandHandler<ChangeAccountHolder> {
  constructor(@Inject(ACCOUNT_HOLDERS) private readonly holders: AccountHolders) {}

  execute({ context, id, fields }: ChangeAccountHolder): Promise<HolderResult> {
    return this.holders.change(context, id, fields, context.idempotency?.commandId);
  }
}

export class EraseAccountHolder extends Command<HolderResult> {
  constructor(
    readonly context: RequestContext,
    readonly id: string,
  ) {
    super();
  }
}

@CommandHandler(EraseAccountHolder)
export class EraseAccountHolderHandler implements ICommandHandler<EraseAccountHolder> {
  constructor(@Inject(ACCOUNT_HOLDERS) private readonly holders: AccountHolders) {}

  execute({ context, id }: EraseAccountHolder): Promise<HolderResult> {
    return this.holders.erase(context, id, context.idempotency?.commandId);
  }
}

/** By an `acc_` id or the merchant's own external id. Undefined: unknown, erased or another merchant's. */
export class FindAccountHolder extends Query<HolderView | undefined> {
  constructor(
    readonly merchantId: string,
    readonly id: string,
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

type HolderListRequest = ListRequest<{ readonly externalId?: readonly string[] }, TimeSort>;

export class ListAccountHolders extends Query<List<AccountHolder>> {
  constructor(readonly request: HolderListRequest) {
    super();
  }
}

@QueryHandler(ListAccountHolders)
export class ListAccountHoldersHandler implements IQueryHandler<ListAccountHolders> {
  constructor(
    @Inject(LISTS) private readonly lists: ReadModelQueries,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'open'>,
  ) {}

  async execute({ request: { filters, ...request } }: ListAccountHolders): Promise<List<AccountHolder>> {
    const hashes = filters?.externalId?.map(hashOfExternalId);
    const page = await this.lists.holders.list({
      ...request,
      ...(hashes && { filters: { externalIdHash: hashes } }),
    });
    const personal = await openedPersonal<HolderPersonal>(this.vault, page.items);
    const items = page.items.map(({ body }, index) => {
      const row = JSON.parse(body) as Pick<AccountHolder, 'id' | 'createdAt' | 'updatedAt'>;
      return accountHolderShape({ ...row, personal: personal[index] ?? {} });
    });
    return { ...page, items };
  }
}

export const ACCOUNT_HOLDER_HANDLERS = [
  CreateAccountHolderHandler,
  ChangeAccountHolderHandler,
  EraseAccountHolderHandler,
  FindAccountHolderHandler,
  ListAccountHoldersHandler,
];
