import type { ResponseCode } from '../shared/codes.js';
import type { OperationId } from '../shared/ids.js';
import type { TryOutcome } from './payment.events.js';
import type { Payment } from './payment.state.js';

/** An outcome that the service gives without asking a processor: try 0. */
export function serviceAnswer(
  payment: Payment,
  answer: {
    readonly at: string;
    readonly operationId: OperationId;
    readonly commandId: string;
    readonly responseCode: ResponseCode;
    readonly hostText: string;
  },
): TryOutcome {
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
