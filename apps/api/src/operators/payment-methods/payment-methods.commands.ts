import { CommandHandler } from '@nestjs/cqrs';
import type { Provisioning } from '@tillstream/payments';
import { PROVISIONING } from '../../api.parts.js';
import { CommandOf, handlerOf } from '../../use-case.js';

export class AddPaymentMethod extends CommandOf<Provisioning['addPaymentMethod']> {}

@CommandHandler(AddPaymentMethod)
export class AddPaymentMethodHandler extends handlerOf(PROVISIONING, 'addPaymentMethod') {}

export class ChangePaymentMethod extends CommandOf<Provisioning['changePaymentMethod']> {}

@CommandHandler(ChangePaymentMethod)
export class ChangePaymentMethodHandler extends handlerOf(PROVISIONING, 'changePaymentMethod') {}

export const PAYMENT_METHOD_HANDLERS = [AddPaymentMethodHandler, ChangePaymentMethodHandler];
