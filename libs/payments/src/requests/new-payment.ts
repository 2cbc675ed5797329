import {
  openPayment,
  openingOperationId,
  paymentStream,
  type AttemptPlan,
  type OpenPayment,
  type OperationId,
} from '@tillstream/domain';
import type { ProcessorRoute } from '@tillstream/processors';
import { planAttempt, type AttemptStart } from '../attempts/index.js';
import { requestIdentity } from '../identifiers.js';
import { iso } from '../ports/clock.port.js';
import type { Cause } from '../stream-repository/event-metadata.js';
import type { PaymentWriteResult } from '../stream-repository/stream-repositories.js';
import type { RequestContext } from './request.types.js';
import { requestCause, writeRequest, type RequestParts, type UnknownAppend } from './request.writer.js';

/* The first operation of a payment, at a terminal or with a token: it opens a new stream. */

export interface NewPayment {
  readonly stream: string;
  readonly operationId: OperationId;
  readonly commandId: string;
  /** RFC 3339, service's clock. */
  readonly at: string;
  readonly cause: Cause;
  readonly tryPlan: AttemptPlan;
  /** Monotonic, ms. */
  readonly startedAt: number;
}

export interface PlannedRequest {
  readonly start: AttemptStart;
  readonly route: ProcessorRoute;
  /** The network's id of the card's first transaction. */
  readonly networkTransactionId?: string | undefined;
}

export function prepareNewPayment(
  { clock }: Pick<RequestParts, 'clock'>,
  context: RequestContext,
  { start, route, networkTransactionId }: PlannedRequest,
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

/** Claims the client's reference id, then appends the request. Both are durable before anything is sent. */
export async function writePaymentRequest(
  parts: RequestParts,
  context: RequestContext,
  { stream, operationId, commandId, at, cause, tryPlan }: NewPayment,
  details: Omit<OpenPayment, 'operationId' | 'commandId' | 'at' | 'tryPlan' | 'form'>,
): Promise<PaymentWriteResult | UnknownAppend> {
  if (details.referenceId !== undefined) {
    await parts.references.claim(context.merchant.id, details.referenceId, { stream, commandId }, cause);
  }
  parts.crashPoints.reached('after-claim');
  const command = { ...details, operationId, commandId, at, tryPlan };
  return writeRequest(parts.payments, parts, context, parts.payments.emptyStream(stream), cause, (state) =>
    openPayment(state, command),
  );
}

export const noProcessor = {
  code: 'NoProcessor',
  message: 'No processor is configured for payments of this merchant, channel and currency.',
} as const;
