import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PaymentMethod } from '@tillstream/domain';
import type { NewPaymentMethod, PaymentMethodChange, Provisioning } from '@tillstream/payments';
import type { ReadModelQueries } from '@tillstream/read-models';
import type { OperatorRequest } from '../../access/caller.js';
import { PAYMENT_METHOD_LIST, PROVISIONING } from '../../api.parts.js';

export class AddPaymentMethod extends Command<PaymentMethod> {
  constructor(
    readonly operator: OperatorRequest,
    readonly merchantId: string,
    readonly method: NewPaymentMethod,
  ) {
    super();
  }
}

@CommandHandler(AddPaymentMethod)
export class AddPaymentMethodHandler implements ICommandHandler<AddPaymentMethod> {
  constructor(@Inject(PROVISIONING) private readonly provisioning: Provisioning) {}

  execute({ operator, merchantId, method }: AddPaymentMethod): Promise<PaymentMethod> {
    return this.provisioning.addPaymentMethod(operator.actor, merchantId, method, operator);
  }
}

/** Undefined: there is no such payment method. */
export class ChangePaymentMethod extends Command<PaymentMethod | undefined> {
  constructor(
    readonly operator: OperatorRequest,
    readonly paymentMethodId: string,
    readonly change: PaymentMethodChange,
  ) {
    super();
  }
}

@CommandHandler(ChangePaymentMethod)
export class ChangePaymentMethodHandler implements ICommandHandler<ChangePaymentMethod> {
  constructor(
    @Inject(PROVISIONING) private readonly provisioning: Provisioning,
    @Inject(PAYMENT_METHOD_LIST) private readonly paymentMethods: ReadModelQueries['paymentMethods'],
  ) {}

  async execute({
    operator,
    paymentMethodId,
    change,
  }: ChangePaymentMethod): Promise<PaymentMethod | undefined> {
    const merchantId = await this.paymentMethods.merchantOf(paymentMethodId);
    if (merchantId === undefined) return undefined;
    return this.provisioning.changePaymentMethod(
      operator.actor,
      { merchantId, paymentMethodId },
      change,
      operator,
    );
  }
}

export const OPERATOR_PAYMENT_METHOD_HANDLERS = [AddPaymentMethodHandler, ChangePaymentMethodHandler];
