import type { Rejected } from '../shared/aggregate.js';
import type { Currency } from '../shared/codes.js';
import {
  acceptedWith,
  changedFields,
  merchantNotFound,
  reject,
  type MerchantDecision,
  type MerchantRejection,
} from './merchant.decision.js';
import {
  evolveMerchant,
  type Merchant,
  type MerchantEvent,
  type MerchantState,
  type PaymentMethod,
  type PaymentMethodAdded,
  type PaymentMethodChanged,
  type PaymentMethodType,
} from './merchant.js';

/** Limit of terminals and forms of one merchant: its state is kept in memory with all of them. */
export const MAX_PAYMENT_METHODS = 20_000;

/** Bank forms have a fixed currency (`docs/spec/README.md#channels`). */
const ONLY_CURRENCY: Readonly<Partial<Record<PaymentMethodType, Currency>>> = {
  VirtualAch: 'USD',
  VirtualEft: 'CAD',
};

type FormSettings = Pick<PaymentMethodAdded, 'formConfig' | 'allowedOrigins'>;
type Rejection = Rejected<MerchantRejection> | undefined;
type Changes = Omit<PaymentMethodChanged, 'at' | 'paymentMethodId'>;

/** Without `currency`, the type or the merchant has to allow exactly one. */
export type NewPaymentMethodData = Omit<PaymentMethodAdded, 'currency'> & { readonly currency?: Currency };

/** A new default replaces the old default of its type. */
export function addPaymentMethod(state: MerchantState, data: NewPaymentMethodData): MerchantDecision {
  if (state.status === 'None') return merchantNotFound();
  if (state.paymentMethods.some(({ id }) => id === data.paymentMethodId)) {
    return reject('PaymentMethodExists', 'This payment method exists already.');
  }
  if (state.paymentMethods.length >= MAX_PAYMENT_METHODS) {
    const details = `received one more than ${state.paymentMethods.length}, allowed ${MAX_PAYMENT_METHODS}`;
    const message = 'The merchant has as many payment methods as it can have.';
    return reject('TooManyPaymentMethods', message, { details });
  }
  const currency = data.currency ?? onlyCurrency(state, data.type);
  if (!currency) {
    return reject('CurrencyRequired', 'The merchant takes several currencies: name one.', {
      setting: 'currency',
      details: `received nothing, allowed ${state.currencies.join(', ')}`,
    });
  }
  return (
    rejectCurrency(state, data.type, currency) ??
    rejectUnfitFormSettings(data.type, data) ??
    acceptedWith({ type: 'PaymentMethodAdded', data: { ...data, currency } })
  );
}

/** Adds all of them or none. Their times are a millisecond apart, so that lists keep the order of the request. */
export function addPaymentMethods(
  state: MerchantState,
  methods: readonly NewPaymentMethodData[],
): MerchantDecision {
  let next = state;
  const events: MerchantEvent[] = [];
  for (const [index, method] of methods.entries()) {
    const at = new Date(Date.parse(method.at) + index).toISOString();
    const decision = addPaymentMethod(next, { ...method, at });
    if (decision.kind === 'Rejected') return decision;
    events.push(...decision.events);
    next = decision.events.reduce(evolveMerchant, next);
  }
  return acceptedWith(...events);
}

/** The event has the fields that differ; `formConfig` and `allowedOrigins` as a whole. The type never changes. */
export function changePaymentMethod(
  state: MerchantState,
  { at, paymentMethodId, type, ...change }: PaymentMethodChanged & { readonly type?: PaymentMethodType },
): MerchantDecision {
  if (state.status === 'None') return merchantNotFound();
  const method = state.paymentMethods.find(({ id }) => id === paymentMethodId);
  if (!method) return reject('PaymentMethodNotFound', 'There is no such payment method.');
  if (type !== undefined && type !== method.type) {
    return reject('TypeFixed', 'The type of a payment method can not be changed.', {
      setting: 'type',
      details: `received ${type}, allowed ${method.type}`,
    });
  }
  const changes = changedFields(change, comparable(method), comparable(change));
  if (Object.keys(changes).length === 0) return acceptedWith();
  return (
    rejectChange(state, method, changes) ??
    acceptedWith({ type: 'PaymentMethodChanged', data: { at, paymentMethodId, ...changes } })
  );
}

export function setPaymentMethodDisabled(
  state: MerchantState,
  data: { readonly at: string; readonly paymentMethodId: string; readonly disabled: boolean },
): MerchantDecision {
  return changePaymentMethod(state, data);
}

/** Rejects settings that this type can not have, independent of the merchant. */
export function rejectUnfitPaymentMethod(
  type: PaymentMethodType,
  { currency, ...form }: FormSettings & { readonly currency?: Currency },
): MerchantRejection | undefined {
  const unfit = (currency && rejectUnfitCurrency(type, currency)) ?? rejectUnfitFormSettings(type, form);
  return unfit?.rejection;
}

function rejectChange(merchant: Merchant, method: PaymentMethod, changes: Changes): Rejection {
  const { type, disabled, currency } = { ...method, ...changes };
  if (changes.isDefault && disabled) {
    return reject('DefaultDisabled', 'A disabled payment method can not become the default.', {
      setting: 'isDefault',
      details: 'received true, allowed once it is enabled',
    });
  }
  const becomesUsable = changes.currency !== undefined || changes.disabled === false;
  const setting = changes.currency === undefined ? 'disabled' : 'currency';
  return (
    (becomesUsable ? rejectCurrency(merchant, type, currency, setting) : undefined) ??
    rejectUnfitFormSettings(type, changes)
  );
}

function onlyCurrency({ currencies }: Merchant, type: PaymentMethodType): Currency | undefined {
  return ONLY_CURRENCY[type] ?? (currencies.length === 1 ? currencies[0] : undefined);
}

function rejectCurrency(
  { currencies }: Merchant,
  type: PaymentMethodType,
  currency: Currency,
  setting = 'currency',
): Rejection {
  if (currencies.includes(currency)) return rejectUnfitCurrency(type, currency);
  const details = `received ${currency}, allowed ${currencies.join(', ')}`;
  return reject('CurrencyNotOffered', `The merchant does not take ${currency}.`, { setting, details });
}

function rejectUnfitCurrency(type: PaymentMethodType, currency: Currency): Rejection {
  const only = ONLY_CURRENCY[type];
  if (only === undefined || only === currency) return undefined;
  const details = `received ${currency}, allowed ${only}`;
  return reject('CurrencyUnfit', `A form of type ${type} takes ${only} only.`, {
    setting: 'currency',
    details,
  });
}

/** `docs/spec/hosted-form.md#form-settings`, `formConfig` rules. */
function rejectUnfitFormSettings(
  type: PaymentMethodType,
  { formConfig, allowedOrigins }: FormSettings,
): Rejection {
  const unfit = (setting: string, message: string, details: string): Rejection =>
    reject('FormSettingsUnfit', message, { setting, details });
  if (type === 'Physical') {
    const sent = formConfig ? 'formConfig' : allowedOrigins ? 'allowedOrigins' : undefined;
    return sent && unfit(sent, `A terminal has no ${sent}.`, 'received one, allowed none');
  }
  if (type === 'Virtual') return undefined;
  if (formConfig?.billingInfoCaptureLevel === 'Minimal') {
    const setting = 'formConfig.billingInfoCaptureLevel';
    return unfit(setting, `A bank form needs the whole address.`, 'received Minimal, allowed Full');
  }
  if (formConfig?.enable3DSecure) {
    const setting = 'formConfig.enable3DSecure';
    return unfit(setting, '3-D Secure is for cards only.', 'received true, allowed false');
  }
  return undefined;
}

/** Gives equal values for equal settings; the order of origins and of extra fields does not matter. */
function comparable({ formConfig, allowedOrigins, ...plain }: Changes): Readonly<Record<string, unknown>> {
  const { billingInfoCaptureLevel, enable3DSecure, piiFields } = formConfig ?? {};
  return {
    ...plain,
    ...(formConfig && {
      formConfig: JSON.stringify([
        billingInfoCaptureLevel ?? null,
        enable3DSecure ?? null,
        piiFields ? [...piiFields].sort() : null,
      ]),
    }),
    ...(allowedOrigins && { allowedOrigins: [...allowedOrigins].sort().join(' ') }),
  };
}
