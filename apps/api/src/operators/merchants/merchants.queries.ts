import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { isMerchantId, type Merchant } from '@tillstream/domain';
import type { Authentication } from '@tillstream/payments';
import type {
  List,
  ListItem,
  ListRequest,
  MerchantFilters,
  ReadModelQueries,
  TimeSort,
} from '@tillstream/read-models';
import { DIRECTORY, LISTS } from '../../api.parts.js';

/** Reads the store's current state; undefined: no such merchant. */
export class FindMerchant extends Query<Merchant | undefined> {
  constructor(readonly merchantId: string) {
    super();
  }
}

export class ListMerchants extends Query<List<ListItem>> {
  constructor(readonly request: ListRequest<MerchantFilters, TimeSort>) {
    super();
  }
}

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

export const MERCHANT_QUERY_HANDLERS = [FindMerchantHandler, ListMerchantsHandler];
