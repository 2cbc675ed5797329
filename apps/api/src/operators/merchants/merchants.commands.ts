import { CommandHandler } from '@nestjs/cqrs';
import type { Provisioning } from '@tillstream/payments';
import { PROVISIONING } from '../../api.parts.js';
import { CommandOf, handlerOf } from '../../use-case.js';

export class CreateMerchant extends CommandOf<Provisioning['createMerchant']> {}

@CommandHandler(CreateMerchant)
export class CreateMerchantHandler extends handlerOf(PROVISIONING, 'createMerchant') {}

export class ChangeMerchant extends CommandOf<Provisioning['changeMerchant']> {}

@CommandHandler(ChangeMerchant)
export class ChangeMerchantHandler extends handlerOf(PROVISIONING, 'changeMerchant') {}

export class SetMerchantDisabled extends CommandOf<Provisioning['setMerchantDisabled']> {}

@CommandHandler(SetMerchantDisabled)
export class SetMerchantDisabledHandler extends handlerOf(PROVISIONING, 'setMerchantDisabled') {}

export const MERCHANT_HANDLERS = [CreateMerchantHandler, ChangeMerchantHandler, SetMerchantDisabledHandler];
