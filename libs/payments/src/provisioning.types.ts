import type { Merchant, MerchantSettings, PaymentMethod, PaymentMethodType } from '@tillstream/domain';
import type { Actor } from './request.types.js';

/** Merchants, their keys and payment methods. Each change is an event with the actor's name. */
export interface Provisioning {
  createMerchant(actor: Actor, settings: MerchantSettings): Promise<Merchant>;
  setMerchantDisabled(
    actor: Actor,
    merchantId: string,
    disabled: boolean,
    reason?: string,
  ): Promise<Merchant>;
  /** The key is in this answer only; the store has its hash. */
  issueApiKey(
    actor: Actor,
    merchantId: string,
    key: { readonly name: string; readonly readOnly: boolean; readonly mode: 'test' | 'live' },
  ): Promise<IssuedKey>;
  revokeApiKey(actor: Actor, merchantId: string, keyId: string): Promise<void>;
  issueAdminKey(actor: Actor, key: { readonly name: string }): Promise<IssuedKey>;
  /** By the key itself or its SHA-256. */
  revokeAdminKey(actor: Actor, keyHash: string): Promise<void>;
  addPaymentMethod(actor: Actor, merchantId: string, method: NewPaymentMethod): Promise<PaymentMethod>;
  /** In their order, a hundred at a time: all of a hundred are added or none. */
  addPaymentMethods(
    actor: Actor,
    merchantId: string,
    methods: readonly NewPaymentMethod[],
  ): Promise<readonly PaymentMethod[]>;
  setPaymentMethodDisabled(
    actor: Actor,
    merchantId: string,
    paymentMethodId: string,
    disabled: boolean,
  ): Promise<void>;
}

export interface IssuedKey {
  readonly keyId: string;
  readonly key: string;
}

export interface NewPaymentMethod {
  readonly type: PaymentMethodType;
  readonly currency: 'USD' | 'CAD';
  readonly description?: string;
  readonly isDefault: boolean;
}

/** Works off what the resolver's table says is due. */
export interface Resolver {
  start(): void;
  stop(): Promise<void>;
  /** Feeds the table to the head of the store, then works until nothing is due, or until `withinMs` of real time passed. */
  runDue(withinMs: number): Promise<{ readonly ran: number; readonly pending: number }>;
}
