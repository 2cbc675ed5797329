import type {
  Currency,
  IssuedApiKey,
  Merchant,
  MerchantSettings,
  PaymentMethod,
  PaymentMethodAdded,
  PaymentMethodChanged,
  PaymentMethodType,
} from '@tillstream/domain';
import type { AdminKeys } from './operators.types.js';
import type { Actor } from '../requests/request.types.js';

export interface ChangeRequest {
  /** A change with the id of an earlier change has no effect. */
  readonly commandId?: string | undefined;
  /** 32 hex. */
  readonly traceId?: string | undefined;
}

/**
 * Merchants, their keys and payment methods (`docs/spec/operators.md#merchants`). Each change is stored as an event with
 * the actor's name. A change that changes nothing writes no event. Methods reject with `ProvisioningRejected`.
 */
export interface Provisioning extends AdminKeys {
  /** The merchant can take payments when it has a key and a payment method. */
  createMerchant(actor: Actor, settings: MerchantSettings, request?: ChangeRequest): Promise<Merchant>;
  /** Settings that are left out stay. `unreferencedRefunds` is replaced as a whole. */
  changeMerchant(
    actor: Actor,
    merchantId: string,
    settings: Partial<MerchantSettings>,
    request?: ChangeRequest,
  ): Promise<Merchant>;
  setMerchantDisabled(
    actor: Actor,
    merchantId: string,
    disabled: boolean,
    reason?: string,
    request?: ChangeRequest,
  ): Promise<Merchant>;
  /** The key works at once. It is returned only once: the store has only its hash. */
  issueApiKey(actor: Actor, merchantId: string, key: NewApiKey, request?: ChangeRequest): Promise<IssuedKey>;
  /** The key stops within 2 s on every instance. */
  revokeApiKey(
    actor: Actor,
    merchantId: string,
    keyId: string,
    request?: ChangeRequest,
  ): Promise<IssuedApiKey>;
  addPaymentMethod(
    actor: Actor,
    merchantId: string,
    method: NewPaymentMethod,
    request?: ChangeRequest,
  ): Promise<PaymentMethod>;
  /** Adds the methods in their order, a hundred in one append. */
  addPaymentMethods(
    actor: Actor,
    merchantId: string,
    methods: readonly NewPaymentMethod[],
  ): Promise<readonly PaymentMethod[]>;
  changePaymentMethod(
    actor: Actor,
    merchantId: string,
    paymentMethodId: string,
    change: PaymentMethodChange,
    request?: ChangeRequest,
  ): Promise<PaymentMethod>;
  setPaymentMethodDisabled(
    actor: Actor,
    merchantId: string,
    paymentMethodId: string,
    disabled: boolean,
  ): Promise<void>;
}

export interface NewApiKey {
  readonly name: string;
  readonly readOnly: boolean;
  readonly mode: 'test' | 'live';
}

export interface IssuedKey {
  readonly keyId: string;
  readonly key: string;
  readonly name: string;
  readonly readOnly: boolean;
  readonly createdAt: string;
}

/** `currency` left out: the only one that the merchant and the type allow. */
export type NewPaymentMethod = Pick<
  PaymentMethodAdded,
  'type' | 'description' | 'isDefault' | 'formConfig' | 'allowedOrigins'
> & { readonly currency?: Currency };

/** A `type` other than the method's own is rejected. */
export type PaymentMethodChange = Omit<PaymentMethodChanged, 'at' | 'paymentMethodId'> & {
  readonly type?: PaymentMethodType;
};
