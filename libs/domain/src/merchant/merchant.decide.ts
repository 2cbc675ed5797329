import type { Currency } from '../shared/codes.js';
import { accepted, rejected, type Decision } from '../shared/decision.js';
import type {
  ApiKeyIssued,
  MerchantChanged,
  MerchantCreated,
  MerchantEvent,
  MerchantSettings,
} from './merchant.events.js';
import type { Merchant, MerchantState } from './merchant.state.js';
import type { PaymentMethod } from './merchant.state.js';

export interface MerchantRejection {
  readonly code:
    | 'MerchantExists'
    | 'MerchantNotFound'
    | 'PaymentMethodExists'
    | 'PaymentMethodNotFound'
    | 'TooManyPaymentMethods'
    | 'TypeFixed'
    | 'FormSettingsUnfit'
    | 'DefaultDisabled'
    | 'ApiKeyNotFound'
    | 'TooManyApiKeys'
    | 'CurrencyRequired'
    | 'CurrencyNotOffered'
    | 'CurrencyUnfit'
    | 'CurrencyInUse';
  readonly message: string;
  /** The setting that is refused, such as `formConfig.enable3DSecure`. */
  readonly setting?: string;
  /** What was asked for and what is allowed. */
  readonly details?: string;
}

export type MerchantDecision = Decision<MerchantEvent, MerchantRejection>;

/** Keys that work at the same time: every decision on a merchant reads them all. */
export const MAX_API_KEYS = 100;
const MAX_NAMED_IDS = 5;

const acceptedWith = (...events: MerchantEvent[]): MerchantDecision => accepted(events, undefined);
export const merchantNotFound = (): MerchantDecision =>
  rejected({ code: 'MerchantNotFound', message: 'There is no such merchant.' });

export function createMerchant(state: MerchantState, data: MerchantCreated): MerchantDecision {
  if (state.status !== 'None')
    return rejected({ code: 'MerchantExists', message: 'This merchant exists already.' });
  return acceptedWith({ type: 'MerchantCreated', data });
}

/**
 * Any of the settings; `currencies` and `unreferencedRefunds` are taken whole. The event has what differs from before. A
 * currency stays for as long as a payment method that can be used is in it.
 */
export function changeMerchant(state: MerchantState, { at, ...settings }: MerchantChanged): MerchantDecision {
  if (state.status === 'None') return merchantNotFound();
  const changes = changedSettings(state, settings);
  if (Object.keys(changes).length === 0) return acceptedWith();
  const refusal = changes.currencies && currencyInUse(state, changes.currencies);
  return refusal ? rejected(refusal) : acceptedWith({ type: 'MerchantChanged', data: { at, ...changes } });
}

/** Disabling twice says nothing new. */
export function disableMerchant(
  state: MerchantState,
  data: { readonly at: string; readonly reason?: string },
): MerchantDecision {
  if (state.status === 'None') return merchantNotFound();
  return state.status === 'Disabled' ? acceptedWith() : acceptedWith({ type: 'MerchantDisabled', data });
}

export function enableMerchant(
  state: MerchantState,
  data: { readonly at: string; readonly reason?: string },
): MerchantDecision {
  if (state.status === 'None') return merchantNotFound();
  return state.status === 'Active' ? acceptedWith() : acceptedWith({ type: 'MerchantEnabled', data });
}

export function issueApiKey(state: MerchantState, data: ApiKeyIssued): MerchantDecision {
  if (state.status === 'None') return merchantNotFound();
  if (state.apiKeys.some(({ id }) => id === data.keyId)) return acceptedWith();
  const working = state.apiKeys.filter(({ revoked }) => !revoked).length;
  if (working >= MAX_API_KEYS) {
    return rejected({
      code: 'TooManyApiKeys',
      message: 'The merchant has as many keys as it can have; revoke one first.',
      details: `received one more than ${working} that work, allowed ${MAX_API_KEYS}`,
    });
  }
  return acceptedWith({ type: 'ApiKeyIssued', data });
}

/** A key is revoked once: after that it is none. */
export function revokeApiKey(
  state: MerchantState,
  data: { readonly at: string; readonly keyId: string },
): MerchantDecision {
  if (state.status === 'None') return merchantNotFound();
  const key = state.apiKeys.find(({ id }) => id === data.keyId);
  if (!key || key.revoked) return rejected({ code: 'ApiKeyNotFound', message: 'There is no such key.' });
  return acceptedWith({ type: 'ApiKeyRevoked', data });
}

/**
 * Which method a request means that names none: the default of the type, else the only one that fits
 * (`docs/spec/payment-methods.md#omitted-payment-method`). Otherwise the candidates, for the caller to choose.
 */
export function resolvePaymentMethod(
  methods: readonly PaymentMethod[],
  type: PaymentMethod['type'],
): { readonly method: PaymentMethod } | { readonly candidates: readonly PaymentMethod[] } {
  const usable = methods.filter((method) => method.type === type && !method.disabled);
  const method = usable.find(({ isDefault }) => isDefault) ?? (usable.length === 1 ? usable[0] : undefined);
  return method ? { method } : { candidates: usable };
}

function changedSettings(state: Merchant, settings: Partial<MerchantSettings>): Partial<MerchantSettings> {
  const before: Readonly<Record<string, unknown>> = comparable(state);
  const after: Readonly<Record<string, unknown>> = comparable(settings);
  return Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => value !== undefined && before[name] !== after[name]),
  );
}

/** The same for equal settings; the order of currencies says nothing. */
function comparable({ currencies, unreferencedRefunds: refunds, ...plain }: Partial<MerchantSettings>) {
  return {
    ...plain,
    ...(currencies && { currencies: [...currencies].sort().join(' ') }),
    ...(refunds && { unreferencedRefunds: `${refunds.enabled} ${refunds.dailyLimit}` }),
  };
}

function currencyInUse(
  { paymentMethods }: Merchant,
  currencies: readonly Currency[],
): MerchantRejection | undefined {
  const left = paymentMethods.filter(({ disabled, currency }) => !disabled && !currencies.includes(currency));
  if (left.length === 0) return undefined;
  const removed = [...new Set(left.map(({ currency }) => currency))].sort();
  const ids = left.slice(0, MAX_NAMED_IDS).map(({ id }) => id);
  const more = left.length > MAX_NAMED_IDS ? ` and ${left.length - MAX_NAMED_IDS} more` : '';
  return {
    code: 'CurrencyInUse',
    message: `Payment methods in ${removed.join(' and ')} can still be used; disable them first.`,
    setting: 'currencies',
    details: `received ${currencies.join(', ')}, allowed with ${removed.join(', ')} while in use: ${ids.join(', ')}${more}`,
  };
}
