import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Merchant, MerchantSettings } from '@tillstream/domain';
import type { Provisioning } from '@tillstream/payments';
import type { OperatorRequest } from '../../access/request.decorators.js';
import { PROVISIONING } from '../../api.parts.js';

export class CreateMerchant extends Command<Merchant> {
  constructor(
    readonly request: OperatorRequest,
    readonly settings: MerchantSettings,
  ) {
    super();
  }
}

export class ChangeMerchant extends Command<Merchant> {
  constructor(
    readonly request: OperatorRequest,
    readonly merchantId: string,
    readonly settings: Partial<MerchantSettings>,
  ) {
    super();
  }
}

export class SetMerchantDisabled extends Command<Merchant> {
  constructor(
    readonly request: OperatorRequest,
    readonly merchantId: string,
    readonly disabled: boolean,
    readonly reason: string | undefined,
  ) {
    super();
  }
}

@CommandHandler(CreateMerchant)
export class CreateMerchantHandler implements ICommandHandler<CreateMerchant> {
  constructor(@Inject(PROVISIONING) private readonly provisioning: Provisioning) {}

  execute({ request: { actor, ...request }, settings }: CreateMerchant): Promise<Merchant> {
    return this.provisioning.createMerchant(actor, settings, request);
  }
}

@CommandHandler(ChangeMerchant)
export class ChangeMerchantHandler implements ICommandHandler<ChangeMerchant> {
  constructor(@Inject(PROVISIONING) private readonly provisioning: Provisioning) {}

  execute({ request: { actor, ...request }, merchantId, settings }: ChangeMerchant): Promise<Merchant> {
    return this.provisioning.changeMerchant(actor, merchantId, settings, request);
  }
}

@CommandHandler(SetMerchantDisabled)
export class SetMerchantDisabledHandler implements ICommandHandler<SetMerchantDisabled> {
  constructor(@Inject(PROVISIONING) private readonly provisioning: Provisioning) {}

  execute({
    request: { actor, ...request },
    merchantId,
    disabled,
    reason,
  }: SetMerchantDisabled): Promise<Merchant> {
    return this.provisioning.setMerchantDisabled(actor, merchantId, disabled, reason, request);
  }
}

export const MERCHANT_HANDLERS = [CreateMerchantHandler, ChangeMerchantHandler, SetMerchantDisabledHandler];
