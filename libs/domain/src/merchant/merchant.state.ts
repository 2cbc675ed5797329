import type { MerchantEvent, MerchantSettings, PaymentMethodAdded } from './merchant.events.js';

export type MerchantState = NoMerchant | Merchant;

export interface NoMerchant {
  readonly status: 'None';
}

export interface Merchant extends MerchantSettings {
  readonly status: 'Active' | 'Disabled';
  readonly id: string;
  readonly createdAt: string;
  /** Of its own settings and status; payment methods and keys have times of their own. */
  readonly updatedAt: string;
  /** In the order of their making. */
  readonly paymentMethods: readonly PaymentMethod[];
  readonly apiKeys: readonly IssuedApiKey[];
}

export interface PaymentMethod extends Omit<PaymentMethodAdded, 'at' | 'paymentMethodId'> {
  readonly id: string;
  readonly disabled: boolean;
  readonly createdAt: string;
}

export interface IssuedApiKey {
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly readOnly: boolean;
  readonly lastFour: string;
  readonly createdAt: string;
  readonly revoked: boolean;
  readonly revokedAt?: string;
}

export const noMerchant: NoMerchant = { status: 'None' };

export function foldMerchant(events: Iterable<MerchantEvent>): MerchantState {
  let state: MerchantState = noMerchant;
  for (const event of events) state = evolveMerchant(state, event);
  return state;
}

export function evolveMerchant(state: MerchantState, event: MerchantEvent): MerchantState {
  if (event.type === 'MerchantCreated') {
    if (state.status !== 'None') throw new Error('a merchant is created once');
    const { at, merchantId, ...settings } = event.data;
    const times = { createdAt: at, updatedAt: at };
    return { ...settings, ...times, status: 'Active', id: merchantId, paymentMethods: [], apiKeys: [] };
  }
  if (state.status === 'None') throw new Error(`${event.type} of a merchant that was never created`);
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
      const others = method.isDefault
        ? withoutDefault(state.paymentMethods, method.type)
        : state.paymentMethods;
      return { ...state, paymentMethods: [...others, added] };
    }
    case 'PaymentMethodChanged': {
      const { at: _at, paymentMethodId, ...change } = event.data;
      const changed = state.paymentMethods.find(({ id }) => id === paymentMethodId);
      const others =
        change.isDefault && changed
          ? withoutDefault(state.paymentMethods, changed.type)
          : state.paymentMethods;
      const paymentMethods = others.map((one) => (one.id === paymentMethodId ? { ...one, ...change } : one));
      return { ...state, paymentMethods };
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

/** One default per merchant and type (`docs/spec/payment-methods.md#terminals-and-forms`). */
function withoutDefault(methods: readonly PaymentMethod[], type: PaymentMethod['type']): PaymentMethod[] {
  return methods.map((method) => (method.type === type ? { ...method, isDefault: false } : method));
}
