import {
  resolvePaymentMethod,
  type Merchant,
  type PaymentMethod,
  type PaymentMethodSnapshot,
} from '@tillstream/domain';
import type { Parts } from '../parts.js';
import { loadOwnToken } from '../stored-cards/token-details.js';

export interface TerminalRejection {
  readonly code:
    'PaymentMethodRequired' | 'PaymentMethodNotFound' | 'PaymentMethodTypeUnfit' | 'PaymentMethodDisabled';
  readonly message: string;
  readonly details?: string;
}

/**
 * Finds the named terminal. If the request names none, finds the merchant's default terminal, or its only one
 * (`docs/spec/payment-methods.md#omitted-payment-method`). Reads the merchant again before it rejects, so that a
 * terminal that was added a moment ago is found.
 */
export async function findTerminal(
  parts: Pick<Parts, 'tokens' | 'authentication'>,
  merchant: Merchant,
  paymentMethodId: string | undefined,
): Promise<PaymentMethod | TerminalRejection> {
  const resolved = terminalFor(merchant, paymentMethodId);
  if (!('code' in resolved) || resolved.code === 'PaymentMethodTypeUnfit') return resolved;
  if (paymentMethodId !== undefined && (await isOwnToken(parts, merchant.id, paymentMethodId)))
    return notPhysical('Token');
  const stored = await parts.authentication.readMerchant(merchant.id);
  return stored ? terminalFor(stored, paymentMethodId) : resolved;
}

export function paymentMethodSnapshot(method: PaymentMethod): PaymentMethodSnapshot {
  const { id, type, currency, description } = method;
  return { id, type, currency, ...(description !== undefined && { description }) };
}

/** Whether the id names a usable token of the merchant. Any other token counts as an unknown payment method. */
async function isOwnToken(
  { tokens }: Pick<Parts, 'tokens'>,
  merchantId: string,
  id: string,
): Promise<boolean> {
  return (await loadOwnToken(tokens, merchantId, id))?.state.status === 'Active';
}

function terminalFor(
  merchant: Merchant,
  paymentMethodId: string | undefined,
): PaymentMethod | TerminalRejection {
  if (paymentMethodId === undefined) {
    const resolved = resolvePaymentMethod(merchant.paymentMethods, 'Physical');
    if ('method' in resolved) return resolved.method;
    const ids = resolved.candidates.map(({ id }) => id).join(', ');
    return {
      code: 'PaymentMethodRequired',
      message: 'The merchant has no default terminal: name one.',
      details: `paymentMethodId left out, allowed: ${ids || 'none exists'}`,
    };
  }
  const method = merchant.paymentMethods.find(({ id }) => id === paymentMethodId);
  if (!method) return { code: 'PaymentMethodNotFound', message: 'There is no such payment method.' };
  if (method.type !== 'Physical') return notPhysical(method.type);
  if (method.disabled) return { code: 'PaymentMethodDisabled', message: 'This payment method is disabled.' };
  return method;
}

function notPhysical(type: string): TerminalRejection {
  const details = `received one of type ${type}, allowed: Physical`;
  return { code: 'PaymentMethodTypeUnfit', message: 'This operation needs a physical terminal.', details };
}
