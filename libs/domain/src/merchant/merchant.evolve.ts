import { foldOf } from '../shared/fold.js';
import { ImpossibleHistory } from '../shared/impossible-history.js';
import type { MerchantEvent } from './merchant.events.js';
import { noMerchant, type MerchantState, type PaymentMethod } from './merchant.state.js';

export const foldMerchant = foldOf<MerchantState, MerchantEvent>(evolveMerchant, noMerchant);

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
      const others = method.isDefault
        ? withoutDefault(state.paymentMethods, method.type)
        : state.paymentMethods;
      return { ...state, paymentMethods: [...others, added] };
    }
    case 'PaymentMethodChanged': {
      const { at: _at, paymentMethodId, ...change } = event.data;
      const before = state.paymentMethods.find(({ id }) => id === paymentMethodId);
      const methods =
        change.isDefault && before ? withoutDefault(state.paymentMethods, before.type) : state.paymentMethods;
      const paymentMethods = methods.map((method) =>
        method.id === paymentMethodId ? { ...method, ...change } : method,
      );
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

/** A merchant has one default for each type (`docs/spec/payment-methods.md#terminals-and-forms`). */
function withoutDefault(methods: readonly PaymentMethod[], type: PaymentMethod['type']): PaymentMethod[] {
  return methods.map((method) => (method.type === type ? { ...method, isDefault: false } : method));
}
