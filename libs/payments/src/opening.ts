import {
  findOperation,
  isPending,
  movedAmount,
  openPayment,
  openingOperationId,
  paymentStream,
  resolvePaymentMethod,
  type Merchant,
  type PaymentDecision,
  type PaymentMethod,
  type PaymentMethodSnapshot,
  type PaymentState,
} from '@tillstream/domain';
import { iso } from './clock.port.js';
import type { Cause } from './event-metadata.js';
import { identityOf } from './identities.js';
import { newPayment } from './payment.journal.js';
import type { References } from './references.js';
import type { RefundLimits } from './refund-limits.js';
import type { OperationResult, PhysicalRequest, RequestContext, RequestRefusal } from './request.types.js';
import type { Timings } from './timings.js';
import { causeOf, orNotStored, sendWritten, writeRequest, type RequestParts } from './requesting.js';

export interface OpeningParts extends RequestParts {
  readonly references: References;
  readonly refundLimits: RefundLimits;
  readonly timings: Timings;
  /** As the store has it now: what was added a moment ago is found. */
  freshMerchant(merchantId: string): Promise<Merchant | undefined>;
}

/** Sale, authorization and unreferenced refund on a terminal: a new stream. */
export async function openAtTerminal(
  parts: OpeningParts,
  kind: 'Sale' | 'Auth' | 'UnreferencedRefund',
  context: RequestContext,
  request: PhysicalRequest,
): Promise<OperationResult> {
  const { merchant } = context;
  const resolved = await resolveTerminal(parts, merchant, request.paymentMethodId);
  if ('code' in resolved) return { kind: 'Refused', refusal: resolved };
  if (kind === 'UnreferencedRefund' && !merchant.unreferencedRefunds.enabled) {
    return { kind: 'Refused', refusal: refundsOff };
  }

  const departure = parts.sending.depart(parts.timings.terminalDeadline);
  const { commandId, root } = identityOf(context.idempotency, parts.clock);
  const stream = paymentStream(root);
  const operationId = openingOperationId(stream);
  const at = iso(parts.clock.now());
  const cause = causeOf(context, commandId);
  const { paymentMethodId: _method, ...asked } = request;
  const { currency } = resolved;

  return orNotStored(parts, async () => {
    if (request.referenceId !== undefined) {
      await parts.references.claim(merchant.id, request.referenceId, { stream, commandId }, cause);
    }
    const reserved = { operationId, amount: request.amount, currency, at };
    if (kind === 'UnreferencedRefund') {
      const refusal = await parts.refundLimits.reserve(merchant, reserved, cause);
      if (refusal) return { kind: 'Refused', refusal };
    }
    parts.crashPoints.reached('after-claim');
    const command = {
      ...asked,
      kind,
      operationId,
      commandId,
      at,
      merchantId: merchant.id,
      currency,
      channel: 'CardPresent',
      paymentMethod: snapshot(resolved),
      terminalId: resolved.id,
      tryPlan: departure.plan,
    } as const;
    const decide = (state: PaymentState): PaymentDecision => openPayment(state, command);
    const written = await writeRequest(parts, context, newPayment(stream), cause, decide).catch(
      async (error: unknown) => {
        // Nothing was appended: the limit was reserved for an operation that will never be.
        if (kind === 'UnreferencedRefund')
          await parts.refundLimits.release(merchant, reserved, cause).catch(() => undefined);
        throw error;
      },
    );
    const result = await sendWritten(parts, context, written, cause, departure);
    if (kind === 'UnreferencedRefund') await releaseUnless(parts, result, merchant, reserved, cause);
    return result;
  });
}

async function resolveTerminal(
  parts: OpeningParts,
  merchant: Merchant,
  paymentMethodId: string | undefined,
): Promise<PaymentMethod | RequestRefusal> {
  const resolved = terminalFor(merchant, paymentMethodId);
  if (!('code' in resolved) || resolved.code === 'PaymentMethodTypeUnfit') return resolved;
  const fresh = await parts.freshMerchant(merchant.id);
  return fresh ? terminalFor(fresh, paymentMethodId) : resolved;
}

/** The named terminal, or the one that is meant where none is named (`decisions.md` 3). */
function terminalFor(
  merchant: Merchant,
  paymentMethodId: string | undefined,
): PaymentMethod | RequestRefusal {
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
  if (method.type !== 'Physical') {
    const details = `received one of type ${method.type}, allowed: Physical`;
    return { code: 'PaymentMethodTypeUnfit', message: 'This operation needs a physical terminal.', details };
  }
  if (method.disabled) return { code: 'PaymentMethodDisabled', message: 'This payment method is disabled.' };
  return method;
}

function snapshot({ id, type, currency, description }: PaymentMethod): PaymentMethodSnapshot {
  return { id, type, currency, ...(description !== undefined && { description }) };
}

const refundsOff = {
  code: 'UnreferencedRefundsOff',
  message: 'Refunds without an original are not enabled for this merchant.',
} as const;

/** At once where it is plain that nothing moved; the resolver repairs what a crash left. */
async function releaseUnless(
  parts: OpeningParts,
  result: OperationResult,
  merchant: Merchant,
  reserved: Parameters<RefundLimits['release']>[1],
  cause: Cause,
): Promise<void> {
  if (result.kind !== 'Answered' && result.kind !== 'NotSent') return;
  const operation = findOperation(result.payment, result.operationId);
  if (!operation || isPending(operation) || movedAmount(operation) > 0) return;
  await parts.refundLimits.release(merchant, reserved, cause).catch(() => undefined);
}
