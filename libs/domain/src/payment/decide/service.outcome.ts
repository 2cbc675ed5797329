import type { ResponseCode } from '../../shared/codes.js';
import type { OperationId } from '../../shared/ids.js';
import type { AttemptOutcome } from '../payment.events.js';
import type { Payment } from '../payment.state.js';

/** An outcome that the service decides without a processor; its attempt number is 0. */
export function serviceOutcome(
  payment: Payment,
  answer: {
    readonly at: string;
    readonly operationId: OperationId;
    readonly commandId: string;
    readonly responseCode: ResponseCode;
    readonly hostText: string;
  },
): AttemptOutcome {
  return {
    ...answer,
    try: 0,
    source: 'Service',
    channel: payment.channel,
    paymentMethod: payment.paymentMethod,
    receiptLines: [],
    ...(payment.terminalId && { terminalId: payment.terminalId }),
  };
}
