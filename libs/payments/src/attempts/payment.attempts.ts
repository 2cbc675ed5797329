import {
  closeNotExecuted,
  completeThreeDs,
  findOperation,
  interrupt,
  isPending,
  newlyBrokenLimits,
  movedAmount,
  notSent,
  openChallenge,
  recordResponse,
  resend,
  streamOfOperation,
  type Cents,
  type Currency,
  type Operation,
  type OperationId,
  type Payment,
  type PaymentEvent,
  type PaymentState,
  type PaymentRejection,
} from '@tillstream/domain';
import type { ProcessorResponse, AttemptCall, Processor } from '@tillstream/processors';
import { iso } from '../ports/clock.port.js';
import {
  type LoadedPayment,
  type PaymentRepository,
  requireStored,
} from '../stream-repository/repositories.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import { receiptLines } from '../receipts/receipt-lines.js';
import { attemptSubject } from '../stored-cards/vault.codec.js';
import { startAttempt } from './send-window.js';
import type { AttemptSender } from './attempt.sender.js';
import {
  requireOperation,
  type AttemptAggregate,
  type PaymentSecret,
  type ResponseRecorder,
  type ResponseToRecord,
} from './attempt.aggregate.js';
import { followUpRequest, paymentRequest } from './processor-requests.js';
import type { Parts } from '../parts.js';

export type PaymentSender = AttemptSender<PaymentState, PaymentEvent, PaymentRejection>;

export class PaymentAttempts implements AttemptAggregate<PaymentState, PaymentEvent, PaymentRejection> {
  readonly repository: PaymentRepository;
  readonly steps = { interrupt, notSent, closeNotExecuted, resend };
  readonly threeDs = { openChallenge, completeThreeDs };
  readonly requestEventType = 'TryRequested';
  readonly streamName = streamOfOperation;
  readonly find = findOperation;
  readonly inquiryContext = (state: PaymentState): Payment => requireStored(state);
  readonly newlyBrokenLimits = newlyBrokenLimits;

  constructor(private readonly parts: Pick<Parts, 'payments' | 'clock' | 'timings' | 'log' | 'readModels'>) {
    this.repository = parts.payments;
  }

  canResend({ kind }: Operation): boolean {
    return kind !== 'Sale' && kind !== 'Auth' && kind !== 'UnreferencedRefund';
  }

  needsAuthentication(state: PaymentState, operationId: OperationId): boolean {
    const { form } = requireStored(state);
    const operation = requireOperation(findOperation(state, operationId), operationId);
    const isForm = form?.enable3DSecure === true && operation.originalId === undefined;
    return isForm && operation.attempt?.threeDs === undefined;
  }

  authenticatedAmount(state: PaymentState, operationId: OperationId): { amount: Cents; currency: Currency } {
    const { amount } = requireOperation(findOperation(state, operationId), operationId);
    return { amount, currency: requireStored(state).currency };
  }

  attemptSubject(_state: PaymentState, operationId: OperationId, number: number): string {
    return attemptSubject(operationId, number);
  }

  call(
    processor: Processor,
    { state, operationId }: { readonly state: PaymentState; readonly operationId: OperationId },
    call: AttemptCall,
    secret: PaymentSecret,
  ): Promise<ProcessorResponse> {
    const payment = requireStored(state);
    const operation = requireOperation(findOperation(payment, operationId), operationId);
    switch (operation.attempt?.executedAs) {
      case 'Sale':
        return processor.sale({ ...paymentRequest(payment, operation), ...secret }, call);
      case 'Authorize':
        return processor.authorize({ ...paymentRequest(payment, operation), ...secret }, call);
      case 'UnreferencedRefund':
        return processor.unreferencedRefund({ ...paymentRequest(payment, operation), ...secret }, call);
      case 'Capture':
        return processor.capture(followUpRequest(payment, operation), call);
      case 'Void':
        return processor.void(followUpRequest(payment, operation), call);
      case 'Refund':
        return processor.refund(followUpRequest(payment, operation), call);
      case 'Reverse':
        return processor.reverse(followUpRequest(payment, operation), call);
      case undefined:
        return Promise.resolve({ kind: 'NotSent', reason: 'the operation has no attempt' });
    }
  }

  async prepareRecorder(
    _known: LoadedPayment,
    { merchant, operationId, number, answer, source, cause }: ResponseToRecord,
  ): Promise<ResponseRecorder<PaymentState, PaymentEvent, PaymentRejection>> {
    const { clock, timings } = this.parts;
    return {
      decide: (state, at) => {
        const payment = requireStored(state);
        const operation = requireOperation(findOperation(payment, operationId), operationId);
        return recordResponse(state, {
          at,
          operationId,
          try: number,
          source,
          answer,
          receiptLines: receiptLines(merchant, { payment, operation }, answer, at),
          expiresAt: iso(clock.now() + timings.authorizationLifetime),
          nextWindow: startAttempt(this.parts).window,
          ...(cause.reason !== undefined && { reason: cause.reason }),
        });
      },
    };
  }

  async writeReadModels(loaded: LoadedPayment, operationId: OperationId): Promise<void> {
    const { readModels, log } = this.parts;
    await writeThrough(readModels, loaded);
    const operation = findOperation(loaded.state, operationId);
    const failed = operation?.kind === 'Reversal' && !isPending(operation) && movedAmount(operation) === 0;
    if (failed) log.error('reversal-failed', { operationId, reason: operation.progress.status });
  }
}
