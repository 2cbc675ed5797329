import { eventCodec, foldOf, ImpossibleHistory, type Event } from '../shared/aggregate.js';
import type { Currency } from '../shared/codes.js';
import { isId } from '../shared/ids.js';
import type { Cents } from '../shared/money.js';
import { withIndexOf } from './payment-method.index.js';

/* A merchant, its payment methods, and the list of its keys. Stream `merchant-<mer_ id>`. */

export const merchantStream = (merchantId: string): string => `merchant-${merchantId}`;

/** The form of the service's own `mer_` ids. */
export function isMerchantId(text: string): boolean {
  return isId('mer_', text);
}

/** Storage: these shapes never change (docs/adr/0014). */
export type MerchantEvent =
  | Event<'MerchantCreated', MerchantCreated>
  | Event<'MerchantChanged', MerchantChanged>
  | Event<'MerchantDisabled', WithReason>
  | Event<'MerchantEnabled', WithReason>
  | Event<'PaymentMethodAdded', PaymentMethodAdded>
  | Event<'PaymentMethodChanged', PaymentMethodChanged>
  | Event<'ApiKeyIssued', ApiKeyIssued>
  | Event<'ApiKeyRevoked', ApiKeyRevoked>;

export interface MerchantSettings {
  readonly name: string;
  readonly currencies: readonly Currency[];
  /** IANA name. */
  readonly timeZone: string;
  /** `HH:MM` in that zone. */
  readonly cutOff: string;
  /** BCP 47; receipts of CAD merchants set to French are in French. */
  readonly locale: string;
  readonly fundingType: 'Net' | 'Gross';
  readonly managedWebhooks: boolean;
  readonly unreferencedRefunds: {
    readonly enabled: boolean;
    /** Cents per currency and day of the merchant's time zone; absent: no limit. */
    readonly dailyLimit?: Cents;
  };
  /** 0: no limit; absent: the service's default. */
  readonly rateLimitPerSecond?: number;
}

export interface MerchantCreated extends MerchantSettings {
  readonly at: string;
  readonly merchantId: string;
}

export type MerchantChanged = { readonly at: string } & Partial<MerchantSettings>;

export interface WithReason {
  readonly at: string;
  readonly reason?: string;
}

export type PaymentMethodType = 'Physical' | 'Virtual' | 'VirtualAch' | 'VirtualEft';

export interface PaymentMethodAdded {
  readonly at: string;
  readonly paymentMethodId: string;
  readonly type: PaymentMethodType;
  readonly currency: Currency;
  readonly description?: string;
  readonly isDefault: boolean;
  /** Defaults of a hosted form. */
  readonly formConfig?: {
    readonly billingInfoCaptureLevel?: 'Minimal' | 'Full';
    readonly enable3DSecure?: boolean;
    readonly piiFields?: readonly ('Email' | 'Phone')[];
  };
  readonly allowedOrigins?: readonly string[];
}

/** Version 2 added the currency. Operations that were requested before the change keep their currency. */
export interface PaymentMethodChanged
  extends
    Pick<PaymentMethodAdded, 'at' | 'paymentMethodId'>,
    Partial<Omit<PaymentMethodAdded, 'at' | 'paymentMethodId' | 'type'>> {
  readonly disabled?: boolean;
}

export interface ApiKeyIssued {
  readonly at: string;
  readonly keyId: string;
  /** SHA-256 of the key, hex; it names the key's own stream. */
  readonly keyHash: string;
  readonly name: string;
  readonly readOnly: boolean;
  readonly lastFour: string;
}

export interface ApiKeyRevoked {
  readonly at: string;
  readonly keyId: string;
}

/** Frozen examples of each version are in `fixtures/`. */
export const merchantCodec = eventCodec<MerchantEvent>({
  types: {
    MerchantCreated: [],
    MerchantChanged: [],
    MerchantDisabled: [],
    MerchantEnabled: [],
    PaymentMethodAdded: [],
    // Version 1 could not change the currency.
    PaymentMethodChanged: [(data) => data],
    ApiKeyIssued: [],
    ApiKeyRevoked: [],
  },
});

export interface Merchant extends MerchantSettings {
  readonly status: 'Active' | 'Disabled';
  readonly id: string;
  readonly createdAt: string;
  /** The last change of settings or status; changes of payment methods and keys do not count. */
  readonly updatedAt: string;
  /** In the order of creation. */
  readonly paymentMethods: readonly PaymentMethod[];
  readonly apiKeys: readonly IssuedApiKey[];
}

export interface PaymentMethod extends Omit<PaymentMethodAdded, 'at' | 'paymentMethodId'> {
  readonly id: string;
  readonly disabled: boolean;
  readonly createdAt: string;
  /** The method that last became the default in its place. */
  readonly replacedBy?: string;
}

export interface IssuedApiKey extends Pick<ApiKeyIssued, 'name' | 'readOnly' | 'lastFour'> {
  readonly id: string;
  readonly hash: string;
  readonly createdAt: string;
  readonly revoked: boolean;
  readonly revokedAt?: string;
}

export type MerchantState = { readonly status: 'None' } | Merchant;

export const noMerchant: MerchantState = { status: 'None' };

/** The next state. @throws ImpossibleHistory if no decision could have made this history */
export function evolveMerchant(state: MerchantState, event: MerchantEvent): MerchantState {
  if (event.type === 'MerchantCreated') {
    if (state.status !== 'None') throw new ImpossibleHistory('a merchant is created once');
    const { at, merchantId, ...settings } = event.data;
    const times = { createdAt: at, updatedAt: at };
    return { ...settings, ...times, status: 'Active', id: merchantId, paymentMethods: [], apiKeys: [] };
  }
  if (state.status === 'None')
    throw new ImpossibleHistory(`${event.type} of a merchant that was never created`);
  switch (event.type) {
    case 'MerchantChanged': {
      const { at: updatedAt, ...settings } = event.data;
      return { ...state, ...settings, updatedAt };
    }
    case 'MerchantDisabled':
      return { ...state, status: 'Disabled', updatedAt: event.data.at };
    case 'MerchantEnabled':
      return { ...state, status: 'Active', updatedAt: event.data.at };
    case 'PaymentMethodAdded': {
      const { at, paymentMethodId, ...method } = event.data;
      const added = { ...method, id: paymentMethodId, disabled: false, createdAt: at };
      const others = method.isDefault ? withoutDefault(state.paymentMethods, added) : state.paymentMethods;
      return { ...state, paymentMethods: withIndexOf(state.paymentMethods, [...others, added]) };
    }
    case 'PaymentMethodChanged': {
      const { at: _at, paymentMethodId, ...change } = event.data;
      const place = state.paymentMethods.findIndex(({ id }) => id === paymentMethodId);
      const before = state.paymentMethods[place];
      if (!before) return state;
      const methods = change.isDefault ? withoutDefault(state.paymentMethods, before) : state.paymentMethods;
      const changed = methods.with(place, { ...before, ...change });
      return { ...state, paymentMethods: withIndexOf(state.paymentMethods, changed) };
    }
    case 'ApiKeyIssued': {
      const { at, keyId: id, keyHash: hash, ...key } = event.data;
      return { ...state, apiKeys: [...state.apiKeys, { ...key, id, hash, createdAt: at, revoked: false }] };
    }
    case 'ApiKeyRevoked':
      return {
        ...state,
        apiKeys: state.apiKeys.map((key) =>
          key.id === event.data.keyId ? { ...key, revoked: true, revokedAt: event.data.at } : key,
        ),
      };
  }
}

/** A merchant has one default for each type (`docs/spec/payment-methods.md#terminals-and-forms`). */
function withoutDefault(
  methods: readonly PaymentMethod[],
  { id: replacedBy, type }: Pick<PaymentMethod, 'id' | 'type'>,
): readonly PaymentMethod[] {
  const place = methods.findIndex((method) => method.isDefault && method.type === type);
  const before = methods[place];
  return before ? methods.with(place, { ...before, isDefault: false, replacedBy }) : methods;
}

export const foldMerchant = foldOf(evolveMerchant, noMerchant);
