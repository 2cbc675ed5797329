import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { isMerchantId, type AdminKey, type Merchant } from '@tillstream/domain';
import type { Authentication, Provisioning } from '@tillstream/payments';
import type {
  List,
  ListItem,
  ListRequest,
  MerchantFilters,
  ReadModelQueries,
  TimeSort,
} from '@tillstream/read-models';
import { DIRECTORY, LISTS, PROVISIONING } from '../api.parts.js';

/** As the store has it now; undefined: there is none. */
export class FindMerchant extends Query<Merchant | undefined> {
  constructor(readonly merchantId: string) {
    super();
  }
}

export class ListMerchants extends Query<List<ListItem>> {
  constructor(readonly request: Omit<ListRequest<MerchantFilters, TimeSort>, 'merchantId'>) {
    super();
  }
}

/** Whose a terminal or form is; undefined: nobody's. */
export class FindMerchantOfPaymentMethod extends Query<string | undefined> {
  constructor(readonly paymentMethodId: string) {
    super();
  }
}

export class ListAdminKeys extends Query<readonly AdminKey[]> {}

@QueryHandler(FindMerchant)
export class FindMerchantHandler implements IQueryHandler<FindMerchant> {
  constructor(@Inject(DIRECTORY) private readonly directory: Authentication) {}

  async execute({ merchantId }: FindMerchant): Promise<Merchant | undefined> {
    return isMerchantId(merchantId) ? this.directory.readMerchant(merchantId) : undefined;
  }
}

@QueryHandler(ListMerchants)
export class ListMerchantsHandler implements IQueryHandler<ListMerchants> {
  constructor(@Inject(LISTS) private readonly lists: ReadModelQueries) {}

  execute({ request }: ListMerchants): Promise<List<ListItem>> {
    return this.lists.merchants.list(request);
  }
}

@QueryHandler(FindMerchantOfPaymentMethod)
export class FindMerchantOfPaymentMethodHandler implements IQueryHandler<FindMerchantOfPaymentMethod> {
  constructor(@Inject(LISTS) private readonly lists: ReadModelQueries) {}

  execute({ paymentMethodId }: FindMerchantOfPaymentMethod): Promise<string | undefined> {
    return this.lists.paymentMethods.merchantOf(paymentMethodId);
  }
}

@QueryHandler(ListAdminKeys)
export class ListAdminKeysHandler implements IQueryHandler<ListAdminKeys> {
  constructor(@Inject(PROVISIONING) private readonly provisioning: Provisioning) {}

  execute(): Promise<readonly AdminKey[]> {
    return this.provisioning.listAdminKeys();
  }
}

export const PROVISIONING_QUERY_HANDLERS = [
  FindMerchantHandler,
  ListMerchantsHandler,
  FindMerchantOfPaymentMethodHandler,
  ListAdminKeysHandler,
];
