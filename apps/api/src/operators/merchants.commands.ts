import { Command } from '@nestjs/cqrs';
import type { IssuedApiKey, Merchant, MerchantSettings, PaymentMethod } from '@tillstream/domain';
import type {
  Actor,
  ChangeRequest,
  IssuedKey,
  NewApiKey,
  NewPaymentMethod,
  PaymentMethodChange,
} from '@tillstream/payments';

/** Who of the operators asks, and on which trace; repeated under its command, a change does nothing a second time. */
export interface OperatorRequest extends ChangeRequest {
  readonly actor: Actor;
}

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

export class IssueApiKey extends Command<IssuedKey> {
  constructor(
    readonly request: OperatorRequest,
    readonly merchantId: string,
    readonly key: NewApiKey,
  ) {
    super();
  }
}

export class RevokeApiKey extends Command<IssuedApiKey> {
  constructor(
    readonly request: OperatorRequest,
    readonly merchantId: string,
    readonly keyId: string,
  ) {
    super();
  }
}

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
