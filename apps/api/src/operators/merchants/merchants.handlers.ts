import { Inject } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  type ICommandHandler,
  Query,
  QueryHandler,
  type IQueryHandler,
} from '@nestjs/cqrs';
import type { Merchant, MerchantSettings } from '@tillstream/domain';
import type { Authentication, Provisioning } from '@tillstream/payments';
import type {
  List,
  ListItem,
  ListRequest,
  MerchantFilters,
  ReadModelQueries,
  TimeSort,
} from '@tillstream/read-models';
import type { OperatorRequest } from '../../access/caller.js';
import { AUTHENTICATION, MERCHANT_LIST, PROVISIONING } from '../../api.parts.js';

type Availability = Parameters<Provisioning['setMerchantDisabled']>[2];

export class CreateMerchant extends Command<Merchant> {
  constructor(
    readonly operator: OperatorRequest,
    readonly settings: MerchantSettings,
  ) {
    super();
  }
}

@CommandHandler(CreateMerchant)
export class CreateMerchantHandler implements ICommandHandler<CreateMerchant> {
  constructor(@Inject(PROVISIONING) private readonly provisioning: Provisioning) {}

  execute({ operator, settings }: CreateMerchant): Promise<Merchant> {
    return this.provisioning.createMerchant(operator.actor, settings, operator);
  }
}

export class ChangeMerchant extends Command<Merchant> {
  constructor(
    readonly operator: OperatorRequest,
    readonly merchantId: string,
    readonly settings: Partial<MerchantSettings>,
  ) {
    super();
  }
}

@CommandHandler(ChangeMerchant)
export class ChangeMerchantHandler implements ICommandHandler<ChangeMerchant> {
  constructor(@Inject(PROVISIONING) private readonly provisioning: Provisioning) {}

  execute({ operator, merchantId, settings }: ChangeMerchant): Promise<Merchant> {
    return this.provisioning.changeMerchant(operator.actor, merchantId, settings, operator);
  }
}

export class SetMerchantDisabled extends Command<Merchant> {
  constructor(
    readonly operator: OperatorRequest,
    readonly merchantId: string,
    readonly change: Availability,
  ) {
    super();
  }
}

@CommandHandler(SetMerchantDisabled)
export class SetMerchantDisabledHandler implements ICommandHandler<SetMerchantDisabled> {
  constructor(@Inject(PROVISIONING) private readonly provisioning: Provisioning) {}

  execute({ operator, merchantId, change }: SetMerchantDisabled): Promise<Merchant> {
    return this.provisioning.setMerchantDisabled(operator.actor, merchantId, change, operator);
  }
}

/** Reads the store's current state. */
export class FindMerchant extends Query<Merchant | undefined> {
  constructor(readonly merchantId: string) {
    super();
  }
}

@QueryHandler(FindMerchant)
export class FindMerchantHandler implements IQueryHandler<FindMerchant> {
  constructor(@Inject(AUTHENTICATION) private readonly authentication: Authentication) {}

  execute({ merchantId }: FindMerchant): Promise<Merchant | undefined> {
    return this.authentication.readMerchant(merchantId);
  }
}

export class ListMerchants extends Query<List<ListItem>> {
  constructor(readonly request: Omit<ListRequest<MerchantFilters, TimeSort>, 'merchantId'>) {
    super();
  }
}

@QueryHandler(ListMerchants)
export class ListMerchantsHandler implements IQueryHandler<ListMerchants> {
  constructor(@Inject(MERCHANT_LIST) private readonly merchants: ReadModelQueries['merchants']) {}

  execute({ request }: ListMerchants): Promise<List<ListItem>> {
    return this.merchants.list(request);
  }
}

export const MERCHANT_HANDLERS = [
  CreateMerchantHandler,
  ChangeMerchantHandler,
  SetMerchantDisabledHandler,
  FindMerchantHandler,
  ListMerchantsHandler,
];
