import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { IssuedApiKey, Merchant, PaymentMethod } from '@tillstream/domain';
import type { IssuedKey, Provisioning } from '@tillstream/payments';
import { PROVISIONING } from '../api.parts.js';
import {
  AddPaymentMethod,
  ChangeMerchant,
  ChangePaymentMethod,
  CreateMerchant,
  IssueApiKey,
  RevokeApiKey,
  SetMerchantDisabled,
} from './merchants.commands.js';

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

@CommandHandler(IssueApiKey)
export class IssueApiKeyHandler implements ICommandHandler<IssueApiKey> {
  constructor(@Inject(PROVISIONING) private readonly provisioning: Provisioning) {}

  execute({ request: { actor, ...request }, merchantId, key }: IssueApiKey): Promise<IssuedKey> {
    return this.provisioning.issueApiKey(actor, merchantId, key, request);
  }
}

@CommandHandler(RevokeApiKey)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKey> {
  constructor(@Inject(PROVISIONING) private readonly provisioning: Provisioning) {}

  execute({ request: { actor, ...request }, merchantId, keyId }: RevokeApiKey): Promise<IssuedApiKey> {
    return this.provisioning.revokeApiKey(actor, merchantId, keyId, request);
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

export const PROVISIONING_HANDLERS = [
  CreateMerchantHandler,
  ChangeMerchantHandler,
  SetMerchantDisabledHandler,
  IssueApiKeyHandler,
  RevokeApiKeyHandler,
  AddPaymentMethodHandler,
  ChangePaymentMethodHandler,
];
