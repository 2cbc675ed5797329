import type { AttemptResponse, ProcessorAccount } from '../../attempt/index.js';
import type { OperationId } from '../../shared/ids.js';
import type { Cents } from '../../shared/money.js';
import type { PaymentRequested, ProcessorOperation } from '../payment.events.js';
import type { Operation, Payment } from '../payment.state.js';

/** What a processor's records say of an attempt. */
export interface RecordedAttempt {
  readonly number: number;
  readonly executedAs: ProcessorOperation;
  /** As requested. */
  readonly amount: Cents;
  /** The service's clock. */
  readonly at: string;
  /** Real time. */
  readonly sentAt: string;
  readonly account: ProcessorAccount;
  readonly answer: AttemptResponse;
}

export interface BringIn {
  readonly operationId: OperationId;
  /** The same at each repetition. */
  readonly commandId: string;
  /** Those that the records have, by number; at least one. */
  readonly attempts: readonly [RecordedAttempt, ...RecordedAttempt[]];
  /** Of an operation that opens a payment. */
  readonly opening: Pick<
    PaymentRequested,
    'merchantId' | 'currency' | 'channel' | 'paymentMethod' | 'terminalId'
  >;
  /** Of every other operation. */
  readonly original?: { readonly operationId: OperationId; readonly try: number };
  /** The service reversed it, as the processor had executed it too late. It counts as not executed. */
  readonly wasReversed: boolean;
  /** Of an approved authorization. */
  readonly expiresAt: string;
  receiptLines(payment: Payment, operation: Operation, attempt: RecordedAttempt): readonly string[];
}
