import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { ReadModelQueries } from '@tillstream/read-models';
import { LISTS } from '../../api.parts.js';

/** The id of the merchant that has a terminal or form; undefined: there is no such payment method. */
export class FindMerchantOfPaymentMethod extends Query<string | undefined> {
  constructor(readonly paymentMethodId: string) {
    super();
  }
}

@QueryHandler(FindMerchantOfPaymentMethod)
export class FindMerchantOfPaymentMethodHandler implements IQueryHandler<FindMerchantOfPaymentMethod> {
  constructor(@Inject(LISTS) private readonly lists: ReadModelQueries) {}

  execute({ paymentMethodId }: FindMerchantOfPaymentMethod): Promise<string | undefined> {
    return this.lists.paymentMethods.merchantOf(paymentMethodId);
  }
}
