import {
  resolvePaymentMethod,
  streamOfToken,
  type Merchant,
  type PaymentMethod,
  type PaymentMethodSnapshot,
} from '@tillstream/domain';
import type { TokenRepository } from '../stream-repository/stream-repositories.js';

export interface TerminalParts {
  readonly tokens: TokenRepository;
  /** As the store has it now: what was added a moment ago is found. */
  readMerchant(merchantId: string): Promise<Merchant | undefined>;
}

export interface TerminalRejection {
  readonly code:
    'PaymentMethodRequired' | 'PaymentMethodNotFound' | 'PaymentMethodTypeUnfit' | 'PaymentMethodDisabled';
  readonly message: string;
  readonly details?: string;
}

/**
 * The named terminal, or the one that is meant where none is named
 * (`docs/spec/payment-methods.md#omitted-payment-method`).
 */
export async function findTerminal(
  parts: TerminalParts,
  merchant: Merchant,
  paymentMethodId: string | undefined,
): Promise<PaymentMethod | TerminalRejection> {
  const resolved = terminalFor(merchant, paymentMethodId);
  if (!('code' in resolved) || resolved.code === 'PaymentMethodTypeUnfit') return resolved;
  if (paymentMethodId !== undefined && (await isOwnToken(parts, merchant.id, paymentMethodId)))
    return unfit('Token');
  const fresh = await parts.readMerchant(merchant.id);
  return fresh ? terminalFor(fresh, paymentMethodId) : resolved;
}

export function paymentMethodSnapshot({
  id,
  type,
  currency,
  description,
}: PaymentMethod): PaymentMethodSnapshot {
  return { id, type, currency, ...(description !== undefined && { description }) };
}

/** One that can be used; any other is no payment method at all. */
async function isOwnToken({ tokens }: TerminalParts, merchantId: string, id: string): Promise<boolean> {
  const stream = streamOfToken(id);
  if (!stream) return false;
  const { state } = await tokens.load(stream);
  return state.status === 'Active' && state.merchantId === merchantId;
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
  if (method.type !== 'Physical') return unfit(method.type);
  if (method.disabled) return { code: 'PaymentMethodDisabled', message: 'This payment method is disabled.' };
  return method;
}

function unfit(type: string): TerminalRejection {
  const details = `received one of type ${type}, allowed: Physical`;
  return { code: 'PaymentMethodTypeUnfit', message: 'This operation needs a physical terminal.', details };
}
