import { findOperation, isPending, movedAmount, rejected } from '@tillstream/domain';
import { noProcessor, prepareNewPayment, writePaymentRequest } from '../requests/new-payment.js';
import {
  handleFailureBeforeStored,
  waitForConcurrentCopies,
  claimedReference,
} from '../requests/request.failures.js';
import type { OperationResult, PhysicalRequest, RequestContext } from '../requests/request.types.js';
import { sendPaymentRequest } from '../requests/request.writer.js';
import { findTerminal, paymentMethodSnapshot } from './terminals.js';
import { startAttempt } from '../attempts/send-window.js';
import type { Parts } from '../parts.js';

/** Runs a sale, authorization or unreferenced refund at a terminal. Each opens a payment. */
export async function runTerminalOperation(
  parts: Parts,
  kind: 'Sale' | 'Auth' | 'UnreferencedRefund',
  context: RequestContext,
  request: PhysicalRequest,
): Promise<OperationResult> {
  const { merchant } = context;
  const start = startAttempt(parts, parts.timings.terminalDeadline);
  const reference = claimedReference(parts, context, request.referenceId);
  return handleFailureBeforeStored(parts, context, reference, async () => {
    const terminal = await findTerminal(parts, merchant, request.paymentMethodId);
    if ('code' in terminal) return rejected(terminal);
    if (kind === 'UnreferencedRefund' && !merchant.unreferencedRefunds.enabled) {
      return rejected(refundsOff);
    }
    const { currency } = terminal;
    const route = parts.processors.route({ merchantId: merchant.id, channel: 'CardPresent', currency });
    if (!route) return rejected(noProcessor);
    const payment = prepareNewPayment(parts, context, { start, route });
    const { operationId, at, cause, startedAt } = payment;
    const limitShare =
      kind === 'UnreferencedRefund' ? { operationId, amount: request.amount, currency, at } : undefined;
    if (limitShare) {
      const rejection = await parts.refundLimits.reserve(merchant, limitShare, cause);
      if (rejection) {
        // A concurrent copy under the same key may have reserved the rest of the limit and may not be stored yet.
        if (context.idempotency) await waitForConcurrentCopies(parts, start.startedAt);
        return rejected(rejection);
      }
    }
    const releaseLimit = async (): Promise<void> => {
      if (limitShare) await parts.refundLimits.release(merchant, limitShare, cause).catch(() => undefined);
    };
    const { paymentMethodId: _method, ...details } = request;
    const written = await writePaymentRequest(parts, context, payment, {
      ...details,
      kind,
      merchantId: merchant.id,
      currency,
      channel: 'CardPresent',
      paymentMethod: paymentMethodSnapshot(terminal),
      terminalId: terminal.id,
    }).catch(async (error: unknown) => {
      // The request was not appended, so the operation will never exist.
      await releaseLimit();
      throw error;
    });
    const result = await sendPaymentRequest(parts, written, { merchant, cause, startedAt });
    // If this process dies before the release, the resolver releases the limit.
    if (movedNothing(result)) await releaseLimit();
    return result;
  });
}

/** True only if the outcome is known and no money moved. */
function movedNothing(result: OperationResult): boolean {
  if (result.kind !== 'Answered' && result.kind !== 'NotSent') return false;
  const operation = findOperation(result.payment, result.operationId);
  return operation !== undefined && !isPending(operation) && movedAmount(operation) === 0;
}

const refundsOff = {
  code: 'UnreferencedRefundsOff',
  message: 'Refunds without an original are not enabled for this merchant.',
} as const;
