import {
  findOperation,
  isPending,
  movedAmount,
  openPayment,
  openingOperationId,
  paymentStream,
  type Merchant,
  type OpenPayment,
  type OperationId,
  type AttemptPlan,
} from '@tillstream/domain';
import type { ProcessorRoute, Processors } from '@tillstream/processors';
import { iso } from '../ports/clock.port.js';
import { planAttempt, startAttempt, type AttemptStart } from '../attempts/index.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import { requestIdentity } from '../identifiers.js';
import type { PaymentWriteResult } from '../stream-repository/stream-repositories.js';
import type { RefundLimits } from '../refund-limits/refund-limits.js';
import {
  referenceCheck,
  handleFailureBeforeStored,
  waitForConcurrentCopies,
} from '../requests/request.failures.js';
import type { OperationResult, PhysicalRequest, RequestContext } from '../requests/request.types.js';
import {
  requestCause,
  sendPaymentRequest,
  writeRequest,
  type RequestParts,
  type UnknownAppend,
} from '../requests/request.writer.js';
import { findTerminal, paymentMethodSnapshot, type TerminalParts } from './terminals.js';
import type { Timings } from '../timings.js';

export interface TerminalPaymentParts extends RequestParts, TerminalParts {
  readonly refundLimits: RefundLimits;
  readonly processors: Processors;
  readonly timings: Timings;
}

/** Sale, authorization and unreferenced refund on a terminal: a new stream. */
export async function runTerminalOperation(
  parts: TerminalPaymentParts,
  kind: 'Sale' | 'Auth' | 'UnreferencedRefund',
  context: RequestContext,
  request: PhysicalRequest,
): Promise<OperationResult> {
  const { merchant } = context;
  const start = startAttempt(parts, parts.timings.terminalDeadline);
  return handleFailureBeforeStored(parts, context, request, referenceCheck(parts, context), async () => {
    const resolved = await findTerminal(parts, merchant, request.paymentMethodId);
    if ('code' in resolved) return { kind: 'Rejected', rejection: resolved };
    if (kind === 'UnreferencedRefund' && !merchant.unreferencedRefunds.enabled) {
      return { kind: 'Rejected', rejection: refundsOff };
    }
    const { paymentMethodId: _method, ...asked } = request;
    const { currency } = resolved;
    const route = parts.processors.route({ merchantId: merchant.id, channel: 'CardPresent', currency });
    if (!route) return { kind: 'Rejected', rejection: noProcessor };
    const opening = prepareNewPayment(parts, context, route, start);
    const command = {
      ...asked,
      kind,
      merchantId: merchant.id,
      currency,
      channel: 'CardPresent',
      paymentMethod: paymentMethodSnapshot(resolved),
      terminalId: resolved.id,
    } as const;
    const reserved = {
      operationId: opening.operationId,
      amount: request.amount,
      currency,
      at: opening.at,
    };
    if (kind === 'UnreferencedRefund') {
      const rejection = await parts.refundLimits.reserve(merchant, reserved, opening.cause);
      if (rejection) {
        // It may be a copy under the same key that has the rest of the limit, and is not stored yet.
        if (context.idempotency) await waitForConcurrentCopies(parts, start.startedAt);
        return { kind: 'Rejected', rejection };
      }
    }
    const written = await writePaymentRequest(parts, context, opening, command).catch(
      async (error: unknown) => {
        // Nothing was appended: the limit was reserved for an operation that will never be.
        if (kind === 'UnreferencedRefund')
          await parts.refundLimits.release(merchant, reserved, opening.cause).catch(() => undefined);
        throw error;
      },
    );
    const { cause, startedAt } = opening;
    const result = await sendPaymentRequest(parts, written, { merchant, cause, startedAt });
    if (kind === 'UnreferencedRefund')
      await releaseLimitUnlessMoved(parts, result, merchant, reserved, opening.cause);
    return result;
  });
}

/** A payment's stream that is about to be opened. */
export interface NewPayment {
  readonly stream: string;
  readonly operationId: OperationId;
  readonly commandId: string;
  readonly at: string;
  readonly cause: Cause;
  readonly tryPlan: AttemptPlan;
  /** Monotonic, ms. */
  readonly startedAt: number;
}

export function prepareNewPayment(
  { clock }: TerminalPaymentParts,
  context: RequestContext,
  route: ProcessorRoute,
  start: AttemptStart,
  networkTransactionId?: string,
): NewPayment {
  const { commandId, root } = requestIdentity(context.idempotency, clock);
  const stream = paymentStream(root);
  return {
    stream,
    operationId: openingOperationId(stream),
    commandId,
    at: iso(clock.now()),
    cause: requestCause(context, commandId),
    tryPlan: planAttempt(start, route, networkTransactionId),
    startedAt: start.startedAt,
  };
}

type Asked = Omit<OpenPayment, 'operationId' | 'commandId' | 'at' | 'tryPlan' | 'form'>;

/** Claims the client's reference, then writes the request down: what is durable before anything is sent. */
export async function writePaymentRequest(
  parts: TerminalPaymentParts,
  context: RequestContext,
  { stream, operationId, commandId, at, cause, tryPlan }: NewPayment,
  asked: Asked,
): Promise<PaymentWriteResult | UnknownAppend> {
  if (asked.referenceId !== undefined) {
    await parts.references.claim(context.merchant.id, asked.referenceId, { stream, commandId }, cause);
  }
  parts.crashPoints.reached('after-claim');
  const command = { ...asked, operationId, commandId, at, tryPlan };
  return writeRequest(parts.payments, parts, context, parts.payments.emptyStream(stream), cause, (state) =>
    openPayment(state, command),
  );
}

const refundsOff = {
  code: 'UnreferencedRefundsOff',
  message: 'Refunds without an original are not enabled for this merchant.',
} as const;

export const noProcessor = {
  code: 'NoProcessor',
  message: 'No processor is configured for payments of this merchant, channel and currency.',
} as const;

/** At once where it is plain that nothing moved; the resolver repairs what a crash left. */
async function releaseLimitUnlessMoved(
  parts: TerminalPaymentParts,
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
