import { openPayment, openingOperationId, paymentStream, type OpenPayment } from '@tillstream/domain';
import { requestIdentity } from '../identifiers.js';
import { iso } from '../ports/clock.port.js';
import type { PaymentWriteResult } from '../stream-repository/repositories.js';
import type { RequestContext } from './request.types.js';
import { requestCause, writeRequest, type CommandCause, type UnknownAppend } from './request.writer.js';
import type { Ports, Parts } from '../parts.js';

/* The first operation of a payment, at a terminal, through a form or with a token: it opens a new stream. */

export interface NewPayment extends Pick<OpenPayment, 'operationId' | 'commandId' | 'at'> {
  readonly stream: string;
  readonly cause: CommandCause;
}

export function prepareNewPayment({ clock }: Pick<Ports, 'clock'>, context: RequestContext): NewPayment {
  const { commandId, root } = requestIdentity(context.idempotency, clock);
  const stream = paymentStream(root);
  return {
    stream,
    operationId: openingOperationId(stream),
    commandId,
    at: iso(clock.now()),
    cause: requestCause(context, commandId),
  };
}

export type NewPaymentDetails = Omit<OpenPayment, 'operationId' | 'commandId' | 'at'>;

/** Claims the client's reference id, then appends the request. Both are durable before anything is sent. */
export async function writePaymentRequest(
  parts: Parts,
  context: RequestContext,
  { stream, operationId, commandId, at, cause }: NewPayment,
  details: NewPaymentDetails,
): Promise<PaymentWriteResult | UnknownAppend> {
  if (details.referenceId !== undefined)
    await parts.references.claim(details.referenceId, { stream, commandId }, cause);
  parts.crashPoints.reached('after-claim');
  const command = { ...details, operationId, commandId, at };
  const known = parts.payments.emptyStream(stream);
  return writeRequest(parts, parts.payments, { context, known, cause }, (state) =>
    openPayment(state, command),
  );
}

export const noProcessor = {
  code: 'NoProcessor',
  message: 'No processor is configured for payments of this merchant, channel and currency.',
} as const;
