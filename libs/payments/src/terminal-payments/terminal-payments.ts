import { rejected } from '@tillstream/domain';
import { planAttempt, startAttempt } from '../attempts/send-window.js';
import type { Parts } from '../parts.js';
import {
  findPaymentMethod,
  paymentMethodSnapshot,
  TERMINAL,
} from '../payment-methods/payment-method.finder.js';
import { noProcessor, prepareNewPayment } from '../requests/new-payment.js';
import { openAndSend, refundsOff } from '../requests/open-payment.js';
import { claimedReference, handleFailureBeforeStored } from '../requests/request.failures.js';
import type { OperationResult, PhysicalRequest, RequestContext } from '../requests/request.types.js';

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
    const terminal = await findPaymentMethod(parts, merchant, TERMINAL, request.paymentMethodId);
    if ('code' in terminal) return rejected(terminal);
    if (kind === 'UnreferencedRefund' && !merchant.unreferencedRefunds.enabled) {
      return rejected(refundsOff);
    }
    const { currency } = terminal;
    const route = parts.processors.route({ merchantId: merchant.id, channel: 'CardPresent', currency });
    if (!route) return rejected(noProcessor);
    const { paymentMethodId: _method, ...details } = request;
    const opened = { payment: prepareNewPayment(parts, context), startedAt: start.startedAt };
    return openAndSend(parts, context, opened, {
      ...details,
      kind,
      merchantId: merchant.id,
      currency,
      channel: 'CardPresent',
      paymentMethod: paymentMethodSnapshot(terminal),
      terminalId: terminal.id,
      attemptPlan: planAttempt(start, route),
    });
  });
}
