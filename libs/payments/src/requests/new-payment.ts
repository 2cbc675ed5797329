import {
  openPayment,
  openingOperationId,
  paymentStream,
  type AttemptPlan,
  type OpenPayment,
} from '@tillstream/domain';
import type { ProcessorRoute } from '@tillstream/processors';
import { requestIdentity } from '../identifiers.js';
import { iso } from '../ports/clock.port.js';
import type { PaymentWriteResult } from '../stream-repository/stream-repository.js';
import type { RequestContext } from './request.types.js';
import { requestCause, writeRequest, type CommandCause, type UnknownAppend } from './request.writer.js';
import { type AttemptStart, planAttempt } from '../attempts/send-window.js';
import type { Ports, Parts } from '../parts.js';

/* The first operation of a payment, at a terminal or with a token: it opens a new stream. */

interface NewPayment extends Pick<OpenPayment, 'operationId' | 'commandId' | 'at'> {
  readonly stream: string;
  readonly cause: CommandCause;
  readonly attemptPlan: AttemptPlan;
  /** Monotonic, ms. */
  readonly startedAt: number;
}

interface PlannedRequest {
  readonly start: AttemptStart;
  readonly route: ProcessorRoute;
  /** The network's id of the card's first transaction. */
  readonly networkTransactionId?: string | undefined;
}

export function prepareNewPayment(
  { clock }: Pick<Ports, 'clock'>,
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
    attemptPlan: planAttempt(start, route, networkTransactionId),
    startedAt: start.startedAt,
  };
}

/** Claims the client's reference id, then appends the request. Both are durable before anything is sent. */
export async function writePaymentRequest(
  parts: Parts,
  context: RequestContext,
  { stream, operationId, commandId, at, cause, attemptPlan }: NewPayment,
  details: Omit<OpenPayment, 'operationId' | 'commandId' | 'at' | 'attemptPlan' | 'form'>,
): Promise<PaymentWriteResult | UnknownAppend> {
  if (details.referenceId !== undefined)
    await parts.references.claim(details.referenceId, { stream, commandId }, cause);
  parts.crashPoints.reached('after-claim');
  const command = { ...details, operationId, commandId, at, attemptPlan };
  const known = parts.payments.emptyStream(stream);
  return writeRequest(parts, parts.payments, { context, known, cause }, (state) =>
    openPayment(state, command),
  );
}

export const noProcessor = {
  code: 'NoProcessor',
  message: 'No processor is configured for payments of this merchant, channel and currency.',
} as const;
