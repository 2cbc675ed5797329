import { accepted, refused, type Decision } from '../shared/decision.js';
import type { ApiKeyIssued, MerchantCreated, MerchantEvent, PaymentMethodAdded } from './merchant.events.js';
import type { MerchantState, PaymentMethod } from './merchant.state.js';

export interface MerchantRefusal {
  readonly code:
    | 'MerchantExists'
    | 'MerchantNotFound'
    | 'PaymentMethodExists'
    | 'PaymentMethodNotFound'
    | 'ApiKeyNotFound'
    | 'CurrencyNotOffered';
  readonly message: string;
}

export type MerchantDecision = Decision<MerchantEvent, MerchantRefusal>;

const done = (...events: MerchantEvent[]): MerchantDecision => accepted(events, undefined);
const notFound = (): MerchantDecision =>
  refused({ code: 'MerchantNotFound', message: 'There is no such merchant.' });

export function createMerchant(state: MerchantState, data: MerchantCreated): MerchantDecision {
  if (state.status !== 'None')
    return refused({ code: 'MerchantExists', message: 'This merchant exists already.' });
  return done({ type: 'MerchantCreated', data });
}

/** Disabling twice says nothing new. */
export function disableMerchant(
  state: MerchantState,
  data: { readonly at: string; readonly reason?: string },
): MerchantDecision {
  if (state.status === 'None') return notFound();
  return state.status === 'Disabled' ? done() : done({ type: 'MerchantDisabled', data });
}

export function enableMerchant(
  state: MerchantState,
  data: { readonly at: string; readonly reason?: string },
): MerchantDecision {
  if (state.status === 'None') return notFound();
  return state.status === 'Active' ? done() : done({ type: 'MerchantEnabled', data });
}

/** A new default takes the place of the old one of its type. */
export function addPaymentMethod(state: MerchantState, data: PaymentMethodAdded): MerchantDecision {
  if (state.status === 'None') return notFound();
  if (state.paymentMethods.some(({ id }) => id === data.paymentMethodId)) {
    return refused({ code: 'PaymentMethodExists', message: 'This payment method exists already.' });
  }
  if (!state.currencies.includes(data.currency)) {
    return refused({ code: 'CurrencyNotOffered', message: `The merchant does not take ${data.currency}.` });
  }
  return done({ type: 'PaymentMethodAdded', data });
}

export function setPaymentMethodDisabled(
  state: MerchantState,
  data: { readonly at: string; readonly paymentMethodId: string; readonly disabled: boolean },
): MerchantDecision {
  if (state.status === 'None') return notFound();
  const method = state.paymentMethods.find(({ id }) => id === data.paymentMethodId);
  if (!method) return refused({ code: 'PaymentMethodNotFound', message: 'There is no such payment method.' });
  return method.disabled === data.disabled ? done() : done({ type: 'PaymentMethodChanged', data });
}

export function issueApiKey(state: MerchantState, data: ApiKeyIssued): MerchantDecision {
  if (state.status === 'None') return notFound();
  return state.apiKeys.some(({ id }) => id === data.keyId) ? done() : done({ type: 'ApiKeyIssued', data });
}

export function revokeApiKey(
  state: MerchantState,
  data: { readonly at: string; readonly keyId: string },
): MerchantDecision {
  if (state.status === 'None') return notFound();
  const key = state.apiKeys.find(({ id }) => id === data.keyId);
  if (!key) return refused({ code: 'ApiKeyNotFound', message: 'There is no such key.' });
  return key.revoked ? done() : done({ type: 'ApiKeyRevoked', data });
}

/**
 * Which method a request means that names none: the default of the type, else the only one that fits (`decisions.md` 3).
 * Otherwise the candidates, for the caller to choose.
 */
export function resolvePaymentMethod(
  methods: readonly PaymentMethod[],
  type: PaymentMethod['type'],
): { readonly method: PaymentMethod } | { readonly candidates: readonly PaymentMethod[] } {
  const usable = methods.filter((method) => method.type === type && !method.disabled);
  const method = usable.find(({ isDefault }) => isDefault) ?? (usable.length === 1 ? usable[0] : undefined);
  return method ? { method } : { candidates: usable };
}
