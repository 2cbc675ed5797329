import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PaymentMethod } from '@tillstream/domain';
import type { NewPaymentMethod, PaymentMethodChange, Provisioning } from '@tillstream/payments';
import type { OperatorRequest } from '../../access/request.decorators.js';
import { PROVISIONING } from '../../api.parts.js';

export class AddPaymentMethod extends Command<PaymentMethod> {
  constructor(
    readonly request: OperatorRequest,
    readonly merchantId: string,
    readonly method: NewPaymentMethod,
  ) {
    super();
  }
}

export class ChangePaymentMethod extends Command<PaymentMethod> {
  constructor(
    readonly request: OperatorRequest,
    readonly merchantId: string,
    readonly paymentMethodId: string,
    readonly change: PaymentMethodChange,
  ) {
    super();
  }
}

@CommandHandler(AddPaymentMethod)
export class AddPaymentMethodHandler implements ICommandHandler<AddPaymentMethod> {
  constructor(@Inject(PROVISIONING) private readonly provisioning: Provisioning) {}

  execute({ request: { actor, ...request }, merchantId, method }: AddPaymentMethod): Promise<PaymentMethod> {
    return this.provisioning.addPaymentMethod(actor, merchantId, method, request);
  }
}

@CommandHandler(ChangePaymentMethod)
export class ChangePaymentMethodHandler implements ICommandHandler<ChangePaymentMethod> {
  constructor(@Inject(PROVISIONING) private readonly provisioning: Provisioning) {}

  execute({
    request: { actor, ...request },
    merchantId,
    paymentMethodId,
    change,
  }: ChangePaymentMethod): Promise<PaymentMethod> {
    return this.provisioning.changePaymentMethod(actor, merchantId, paymentMethodId, change, request);
  }
}

export const PAYMENT_METHOD_HANDLERS = [AddPaymentMethodHandler, ChangePaymentMethodHandler];
