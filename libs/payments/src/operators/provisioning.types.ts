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

/** Of the request that asks for a change. */
export interface ChangeRequest {
  /** Repeated under it, a change does nothing a second time. */
  readonly commandId?: string;
  /** 32 hex. */
  readonly traceId?: string;
}

/**
 * Merchants, their keys and payment methods (`docs/spec/operators.md#merchants`). Each change is an event with the
 * actor's name; where nothing changes nothing is written. What is refused is thrown as `ProvisioningRejected`. Ids of
 * merchants are of the form that `isMerchantId` tells.
 */
export interface Provisioning extends AdminKeys {
  /** Can take payments as soon as it has a key and a payment method. */
  createMerchant(actor: Actor, settings: MerchantSettings, request?: ChangeRequest): Promise<Merchant>;
  /** What is left out stays; `unreferencedRefunds` is taken whole. */
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
  /** The key is in this answer only; the store has its hash. It works at once. */
  issueApiKey(actor: Actor, merchantId: string, key: NewApiKey, request?: ChangeRequest): Promise<IssuedKey>;
  /** It stops within 2 s on every instance. */
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
  /** In their order, a hundred at a time: all of a hundred are added or none. */
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

/** A currency left out is the only one that there can be. */
export type NewPaymentMethod = Pick<
  PaymentMethodAdded,
  'type' | 'description' | 'isDefault' | 'formConfig' | 'allowedOrigins'
> & { readonly currency?: Currency };

/** A type that is not the method's own is refused. */
export type PaymentMethodChange = Omit<PaymentMethodChanged, 'at' | 'paymentMethodId'> & {
  readonly type?: PaymentMethodType;
};

/** Works off what the resolver's table says is due. */
export interface Resolver {
  start(): void;
  stop(): Promise<void>;
  /** Feeds the table to the head of the store, then works until nothing is due, or until `withinMs` of real time passed. */
  runDue(withinMs: number): Promise<{ readonly ran: number; readonly pending: number }>;
  /** What of the table has fallen due and is not done, by whomever. */
  countDue(): Promise<number>;
}
