import {
  findMethodOf,
  resolvePaymentMethod,
  type Merchant,
  type PaymentMethod,
  type PaymentMethodSnapshot,
} from '@tillstream/domain';
import type { Parts } from '../parts.js';
import { loadOwnToken } from '../stored-cards/token-details.js';

export interface PaymentMethodRejection {
  readonly code:
    'PaymentMethodRequired' | 'PaymentMethodNotFound' | 'PaymentMethodTypeUnfit' | 'PaymentMethodDisabled';
  readonly message: string;
  readonly details?: string;
}

/** What an operation needs. A request that names none gets the merchant's default of the type `implied`. */
export interface PaymentMethodNeed {
  readonly implied: PaymentMethod['type'];
  readonly allowed: readonly PaymentMethod['type'][];
  readonly name: string;
}

export const TERMINAL: PaymentMethodNeed = { implied: 'Physical', allowed: ['Physical'], name: 'terminal' };
export const ANY_FORM: PaymentMethodNeed = {
  implied: 'Virtual',
  allowed: ['Virtual', 'VirtualAch', 'VirtualEft'],
  name: 'form',
};
export const CARD_FORM: PaymentMethodNeed = { ...ANY_FORM, allowed: ['Virtual'], name: 'card form' };
/** Bank accounts of EFT are not stored. */
export const TOKEN_FORM: PaymentMethodNeed = {
  ...ANY_FORM,
  allowed: ['Virtual', 'VirtualAch'],
  name: 'card or ACH form',
};

/** An error does not name thousands of terminals. */
const CANDIDATES_NAMED_MAX = 100;

/**
 * Finds the named terminal or form. If the request names none, finds the merchant's default, or its only one
 * (`docs/spec/payment-methods.md#omitted-payment-method`). Reads the merchant again before it rejects, so that a payment
 * method that was added a moment ago is found.
 */
export async function findPaymentMethod(
  parts: Pick<Parts, 'tokens' | 'authentication'>,
  merchant: Merchant,
  need: PaymentMethodNeed,
  paymentMethodId: string | undefined,
): Promise<PaymentMethod | PaymentMethodRejection> {
  const resolved = usableMethod(merchant, need, paymentMethodId);
  if (!('code' in resolved) || resolved.code === 'PaymentMethodTypeUnfit') return resolved;
  if (paymentMethodId !== undefined && (await isOwnToken(parts, merchant.id, paymentMethodId)))
    return unfit(need, 'Token');
  const stored = await parts.authentication.readMerchant(merchant.id);
  return stored ? usableMethod(stored, need, paymentMethodId) : resolved;
}

export function paymentMethodSnapshot(method: PaymentMethod): PaymentMethodSnapshot {
  const { id, type, currency, description } = method;
  return { id, type, currency, ...(description !== undefined && { description }) };
}

/**
 * A missing field or an unknown payment method wins over an unknown holder. A method that was found but is not usable does
 * not (`docs/spec/errors.md#which-answer-wins`).
 */
export function isCheckedBeforeHolder({ code }: PaymentMethodRejection): boolean {
  return code === 'PaymentMethodRequired' || code === 'PaymentMethodNotFound';
}

/** Whether the id names a usable token of the merchant. Any other token counts as an unknown payment method. */
async function isOwnToken(
  { tokens }: Pick<Parts, 'tokens'>,
  merchantId: string,
  id: string,
): Promise<boolean> {
  return (await loadOwnToken(tokens, merchantId, id))?.state.status === 'Active';
}

function usableMethod(
  merchant: Merchant,
  need: PaymentMethodNeed,
  paymentMethodId: string | undefined,
): PaymentMethod | PaymentMethodRejection {
  if (paymentMethodId === undefined) {
    const resolved = resolvePaymentMethod(merchant.paymentMethods, need.implied);
    if ('method' in resolved) return resolved.method;
    return {
      code: 'PaymentMethodRequired',
      message: `The merchant has no default ${need.name}: name one.`,
      details: `paymentMethodId left out, allowed: ${idsOf(resolved.candidates)}`,
    };
  }
  const method = findMethodOf(merchant, paymentMethodId);
  if (!method) return { code: 'PaymentMethodNotFound', message: 'There is no such payment method.' };
  if (!need.allowed.includes(method.type)) return unfit(need, method.type);
  if (method.disabled) return { code: 'PaymentMethodDisabled', message: 'This payment method is disabled.' };
  return method;
}

function idsOf(methods: readonly PaymentMethod[]): string {
  if (methods.length === 0) return 'none exists';
  const named = methods.slice(0, CANDIDATES_NAMED_MAX).map(({ id }) => id);
  const more = methods.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function unfit({ allowed, name }: PaymentMethodNeed, type: string): PaymentMethodRejection {
  return {
    code: 'PaymentMethodTypeUnfit',
    message: `This operation needs a ${name}.`,
    details: `received one of type ${type}, allowed: ${allowed.join(', ')}`,
  };
}
