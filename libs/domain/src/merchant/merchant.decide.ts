import type { Rejected } from '../shared/aggregate.js';
import type { Currency } from '../shared/codes.js';
import type {
  ApiKeyIssued,
  ApiKeyRevoked,
  Merchant,
  MerchantChanged,
  MerchantCreated,
  MerchantSettings,
  MerchantState,
  PaymentMethod,
  WithReason,
} from './merchant.js';
import {
  acceptedWith,
  changedFields,
  merchantNotFound,
  reject,
  type MerchantDecision,
  type MerchantRejection,
} from './merchant.decision.js';

/** Limit of keys that are not revoked. Every decision on a merchant reads all of them. */
export const MAX_API_KEYS = 100;
const MAX_NAMED_IDS = 5;

export function createMerchant(state: MerchantState, data: MerchantCreated): MerchantDecision {
  if (state.status !== 'None') return reject('MerchantExists', 'This merchant exists already.');
  return acceptedWith({ type: 'MerchantCreated', data });
}

/**
 * Changes any of the settings. `currencies` and `unreferencedRefunds` are replaced as a whole. The event has the
 * settings that differ. A currency can not be removed while an enabled payment method uses it.
 */
export function changeMerchant(state: MerchantState, { at, ...settings }: MerchantChanged): MerchantDecision {
  if (state.status === 'None') return merchantNotFound();
  const changes: Partial<MerchantSettings> = changedFields(settings, comparable(state), comparable(settings));
  if (Object.keys(changes).length === 0) return acceptedWith();
  return (
    (changes.currencies && rejectRemovedCurrency(state, changes.currencies)) ??
    acceptedWith({ type: 'MerchantChanged', data: { at, ...changes } })
  );
}

/** Adds no event if the merchant is disabled already. */
export function disableMerchant(state: MerchantState, data: WithReason): MerchantDecision {
  if (state.status === 'None') return merchantNotFound();
  return state.status === 'Disabled' ? acceptedWith() : acceptedWith({ type: 'MerchantDisabled', data });
}

export function enableMerchant(state: MerchantState, data: WithReason): MerchantDecision {
  if (state.status === 'None') return merchantNotFound();
  return state.status === 'Active' ? acceptedWith() : acceptedWith({ type: 'MerchantEnabled', data });
}

export function issueApiKey(state: MerchantState, data: ApiKeyIssued): MerchantDecision {
  if (state.status === 'None') return merchantNotFound();
  if (state.apiKeys.some(({ id }) => id === data.keyId)) return acceptedWith();
  const working = state.apiKeys.filter(({ revoked }) => !revoked).length;
  if (working >= MAX_API_KEYS) {
    const details = `received one more than ${working} that work, allowed ${MAX_API_KEYS}`;
    return reject('TooManyApiKeys', 'The merchant has as many keys as it can have; revoke one first.', {
      details,
    });
  }
  return acceptedWith({ type: 'ApiKeyIssued', data });
}

/** A revoked key counts as not found. */
export function revokeApiKey(state: MerchantState, data: ApiKeyRevoked): MerchantDecision {
  if (state.status === 'None') return merchantNotFound();
  const key = state.apiKeys.find(({ id }) => id === data.keyId);
  if (!key || key.revoked) return reject('ApiKeyNotFound', 'There is no such key.');
  return acceptedWith({ type: 'ApiKeyRevoked', data });
}

/**
 * The method for a request that names none: the default of the type, else the only enabled one
 * (`docs/spec/payment-methods.md#omitted-payment-method`). Otherwise the candidates, for the error message.
 */
export function resolvePaymentMethod(
  methods: readonly PaymentMethod[],
  type: PaymentMethod['type'],
): { readonly method: PaymentMethod } | { readonly candidates: readonly PaymentMethod[] } {
  const isUsable = (method: PaymentMethod): boolean => method.type === type && !method.disabled;
  const theDefault = methods.find((method) => method.isDefault && isUsable(method));
  if (theDefault) return { method: theDefault };
  const candidates = methods.filter(isUsable);
  const [only] = candidates;
  return only && candidates.length === 1 ? { method: only } : { candidates };
}

/** Gives equal values for equal settings; the order of currencies does not matter. */
function comparable({ currencies, unreferencedRefunds: refunds, ...plain }: Partial<MerchantSettings>) {
  return {
    ...plain,
    ...(currencies && { currencies: [...currencies].sort().join(' ') }),
    ...(refunds && { unreferencedRefunds: `${refunds.enabled} ${refunds.dailyLimit}` }),
  };
}

function rejectRemovedCurrency(
  { paymentMethods }: Merchant,
  currencies: readonly Currency[],
): Rejected<MerchantRejection> | undefined {
  const stillUsed = paymentMethods.filter(
    ({ disabled, currency }) => !disabled && !currencies.includes(currency),
  );
  if (stillUsed.length === 0) return undefined;
  const removed = [...new Set(stillUsed.map(({ currency }) => currency))].sort();
  const ids = stillUsed.slice(0, MAX_NAMED_IDS).map(({ id }) => id);
  const more = stillUsed.length > MAX_NAMED_IDS ? ` and ${stillUsed.length - MAX_NAMED_IDS} more` : '';
  const message = `Payment methods in ${removed.join(' and ')} can still be used; disable them first.`;
  return reject('CurrencyInUse', message, {
    setting: 'currencies',
    details: `received ${currencies.join(', ')}, allowed with ${removed.join(', ')} while in use: ${ids.join(', ')}${more}`,
  });
}
