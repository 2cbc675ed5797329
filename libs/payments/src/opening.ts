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
import { iso } from './clock.port.js';
import { planOf, startAttempt, type AttemptStart } from './attempts/index.js';
import type { Cause } from './event-metadata.js';
import { identityOf } from './identities.js';
import type { WrittenPayment } from './journals.js';
import type { RefundLimits } from './refund-limits.js';
import { claimsOf, orNotStored, untilCopiesAreStored } from './request.failures.js';
import type { OperationResult, PhysicalRequest, RequestContext } from './request.types.js';
import { causeOf, sendPayment, writeRequest, type RequestParts, type Unwritten } from './requesting.js';
import { resolveTerminal, snapshotOf, type TerminalParts } from './terminals.js';
import type { Timings } from './timings.js';

export interface OpeningParts extends RequestParts, TerminalParts {
  readonly refundLimits: RefundLimits;
  readonly processors: Processors;
  readonly timings: Timings;
}

/** Sale, authorization and unreferenced refund on a terminal: a new stream. */
export async function openAtTerminal(
  parts: OpeningParts,
  kind: 'Sale' | 'Auth' | 'UnreferencedRefund',
  context: RequestContext,
  request: PhysicalRequest,
): Promise<OperationResult> {
  const { merchant } = context;
  const start = startAttempt(parts, parts.timings.terminalDeadline);
  return orNotStored(parts, context, request, claimsOf(parts, context), async () => {
    const resolved = await resolveTerminal(parts, merchant, request.paymentMethodId);
    if ('code' in resolved) return { kind: 'Refused', refusal: resolved };
    if (kind === 'UnreferencedRefund' && !merchant.unreferencedRefunds.enabled) {
      return { kind: 'Refused', refusal: refundsOff };
    }
    const { paymentMethodId: _method, ...asked } = request;
    const { currency } = resolved;
    const route = parts.processors.route({ merchantId: merchant.id, channel: 'CardPresent', currency });
    if (!route) return { kind: 'Refused', refusal: noProcessor };
    const opening = beginOpening(parts, context, route, start);
    const command = {
      ...asked,
      kind,
      merchantId: merchant.id,
      currency,
      channel: 'CardPresent',
      paymentMethod: snapshotOf(resolved),
      terminalId: resolved.id,
    } as const;
    const reserved = {
      operationId: opening.operationId,
      amount: request.amount,
      currency,
      at: opening.at,
    };
    if (kind === 'UnreferencedRefund') {
      const refusal = await parts.refundLimits.reserve(merchant, reserved, opening.cause);
      if (refusal) {
        // It may be a copy under the same key that has the rest of the limit, and is not stored yet.
        if (context.idempotency) await untilCopiesAreStored(parts, start.startedAt);
        return { kind: 'Refused', refusal };
      }
    }
    const written = await requestOpening(parts, context, opening, command).catch(async (error: unknown) => {
      // Nothing was appended: the limit was reserved for an operation that will never be.
      if (kind === 'UnreferencedRefund')
        await parts.refundLimits.release(merchant, reserved, opening.cause).catch(() => undefined);
      throw error;
    });
    const { cause, startedAt } = opening;
    const result = await sendPayment(parts, written, { merchant, cause, startedAt });
    if (kind === 'UnreferencedRefund') await releaseUnless(parts, result, merchant, reserved, opening.cause);
    return result;
  });
}

/** A payment's stream that is about to be opened. */
export interface Opening {
  readonly stream: string;
  readonly operationId: OperationId;
  readonly commandId: string;
  readonly at: string;
  readonly cause: Cause;
  readonly tryPlan: AttemptPlan;
  /** Monotonic, ms. */
  readonly startedAt: number;
}

export function beginOpening(
  { clock }: OpeningParts,
  context: RequestContext,
  route: ProcessorRoute,
  start: AttemptStart,
  networkTransactionId?: string,
): Opening {
  const { commandId, root } = identityOf(context.idempotency, clock);
  const stream = paymentStream(root);
  return {
    stream,
    operationId: openingOperationId(stream),
    commandId,
    at: iso(clock.now()),
    cause: causeOf(context, commandId),
    tryPlan: planOf(start, route, networkTransactionId),
    startedAt: start.startedAt,
  };
}

type Asked = Omit<OpenPayment, 'operationId' | 'commandId' | 'at' | 'tryPlan' | 'form'>;

/** Claims the client's reference, then writes the request down: what is durable before anything is sent. */
export async function requestOpening(
  parts: OpeningParts,
  context: RequestContext,
  { stream, operationId, commandId, at, cause, tryPlan }: Opening,
  asked: Asked,
): Promise<WrittenPayment | Unwritten> {
  if (asked.referenceId !== undefined) {
    await parts.references.claim(context.merchant.id, asked.referenceId, { stream, commandId }, cause);
  }
  parts.crashPoints.reached('after-claim');
  const command = { ...asked, operationId, commandId, at, tryPlan };
  return writeRequest(parts.journal, parts, context, parts.journal.fresh(stream), cause, (state) =>
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
