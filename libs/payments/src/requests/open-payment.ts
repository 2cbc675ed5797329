import { findOperation, isPending, movedAmount, rejected, type OpenPayment } from '@tillstream/domain';
import type { Parts } from '../parts.js';
import { writePaymentRequest, type NewPayment, type NewPaymentDetails } from './new-payment.js';
import { waitForConcurrentCopies } from './request.failures.js';
import type { OperationResult, RequestContext } from './request.types.js';
import { sendPaymentRequest } from './request.writer.js';

/**
 * Appends the first operation of a payment and, if it has an attempt, sends it. An unreferenced refund reserves its part of
 * the merchant's daily limit first. The part is given back only if the refund certainly moves no money; if this process
 * dies before that, the resolver does it.
 *
 * @param startedAt when the request started, monotonic ms
 */
export async function openAndSend(
  parts: Parts,
  context: RequestContext,
  { payment, startedAt }: { readonly payment: NewPayment; readonly startedAt: number },
  details: NewPaymentDetails,
): Promise<OperationResult> {
  const { merchant } = context;
  const { operationId, at, cause } = payment;
  const limitShare = details.kind === 'UnreferencedRefund' && reservedShare(details, { operationId, at });
  if (limitShare) {
    const rejection = await parts.refundLimits.reserve(merchant, limitShare, cause);
    if (rejection) {
      // A concurrent copy under the same key may have reserved the rest of the limit and may not be stored yet.
      if (context.idempotency) await waitForConcurrentCopies(parts, startedAt);
      return rejected(rejection);
    }
  }
  const releaseLimit = async (): Promise<void> => {
    if (limitShare) await parts.refundLimits.release(merchant, limitShare, cause).catch(() => undefined);
  };
  const written = await writePaymentRequest(parts, context, payment, details).catch(
    async (error: unknown) => {
      // The request was not appended, so the operation will never exist.
      await releaseLimit();
      throw error;
    },
  );
  const result = await sendPaymentRequest(parts, written, { merchant, cause, startedAt });
  if (movedNothing(result)) await releaseLimit();
  return result;
}

function reservedShare(
  { amount, currency }: NewPaymentDetails,
  operation: Pick<OpenPayment, 'operationId' | 'at'>,
) {
  return { ...operation, amount, currency };
}

/** True only if the outcome is known and no money moved. */
function movedNothing(result: OperationResult): boolean {
  if (result.kind !== 'Answered' && result.kind !== 'NotSent') return false;
  const operation = findOperation(result.payment, result.operationId);
  return operation !== undefined && !isPending(operation) && movedAmount(operation) === 0;
}

export const refundsOff = {
  code: 'UnreferencedRefundsOff',
  message: 'Refunds without an original are not enabled for this merchant.',
} as const;
