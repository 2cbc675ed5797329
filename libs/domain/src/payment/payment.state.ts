import {
  isWithoutOutcome,
  type Attempt,
  type AttemptEventData,
  type AttemptOutcome,
  type Interrupted,
  type ProcessorAccount,
} from '../attempt/index.js';
import type { ResponseCode, ResultCode } from '../shared/codes.js';
import type { ThreeDsFacts } from '../shared/event.shapes.js';
import type { OperationId } from '../shared/ids.js';
import type { AmountBreakdown, Cents } from '../shared/money.js';
import type { ChallengeOpened } from '../three-ds/index.js';
import type { PaymentEvents, PaymentRequested } from './payment.events.js';

/** One stream: the original sale, authorization or unreferenced refund, and every operation on it. */
export type PaymentState = { readonly status: 'None' } | Payment;

export interface Payment extends Pick<
  PaymentRequested,
  'merchantId' | 'currency' | 'channel' | 'paymentMethod' | 'terminalId' | 'accountHolderId' | 'form'
> {
  readonly status: 'Opened';
  /** In the order of their requests. The first one opened the stream. */
  readonly operations: readonly Operation[];
  /** Facts from outside that broke a limit. Operators look at them. */
  readonly flags: readonly PaymentFlag[];
}

export interface PaymentFlag {
  readonly kind:
    | 'OverAuthorized'
    | 'OverCaptured'
    | 'OverRefunded'
    | 'LateApproval'
    | 'LateRefund'
    | 'ReversalFailed'
    | 'ReturnedAfterRefund'
    | 'ChargedBackAbovePaid';
  readonly operationId: OperationId;
}

export type OperationKind =
  'Sale' | 'Auth' | 'UnreferencedRefund' | 'Capture' | 'Refund' | 'Void' | 'Reversal';

export interface Operation extends Pick<
  PaymentRequested,
  'amount' | 'amountBreakdown' | 'invoiceNumber' | 'orderNumber'
> {
  readonly id: OperationId;
  readonly kind: OperationKind;
  /** Of the request, then of the attempts. */
  readonly commandIds: readonly string[];
  /** Absent on the service's own operations. */
  readonly referenceId?: string;
  readonly originalId?: OperationId;
  /** Of a refund: how the last attempt is executed. */
  readonly executedAs?: 'Void' | 'Refund';
  readonly reversalCause?: PaymentEvents['ReversalRequested']['cause'];
  /** Of a reversal: the attempt of the original whose approval is undone. */
  readonly originalTry?: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly progress: Progress;
  /** The last attempt that was requested; earlier ones have an outcome. */
  readonly attempt?: PaymentAttempt;
  /** The account of each attempt, in order. Every inquiry about an attempt goes there. */
  readonly accounts: readonly ProcessorAccount[];
  /** The answers to the attempts, newest first. A bank's final answer replaces its first. */
  readonly responses: readonly RecordedResponse[];
  /** Of an authorization. */
  readonly expiresAt?: string;
  readonly expiredAt?: string;
  /** At most one for each attempt, in the order of recording. */
  readonly lateApprovals: readonly LateApproval[];
  /** When the operation moved money, service clock: a capture, a refund, or a late refund. */
  readonly movedAt?: string;
  readonly batch?: { readonly id: string; readonly amount: Cents };
  /** The closings of batches that never take the operation. */
  readonly leftForNextBatch?: readonly Pick<PaymentEvents['LeftForNextBatch'], 'batchId' | 'closing'>[];
  readonly returns: readonly BankReturn[];
  /** The last batch that took a return or chargeback of it. */
  readonly lastReturnBatchId?: string;
  readonly noticeIds: readonly string[];
  /** Absent: none. */
  readonly chargebacks?: readonly Chargeback[];
}

export interface LateApproval {
  readonly try: number;
  readonly amount: Cents;
  readonly gatewayTransactionId?: string;
  readonly account?: ProcessorAccount;
}

export interface Chargeback {
  readonly id: string;
  readonly at: string;
  readonly amount: Cents;
  /** The batch that took it. */
  readonly batchId?: string;
}

export interface BankReturn extends Chargeback {
  readonly code: string;
}

export interface PaymentAttempt
  extends Attempt, Pick<PaymentEvents['TryRequested'], 'executedAs' | 'amount' | 'networkTransactionId'> {
  /** Challenges that have ended; absent: none. A repeated notice does not open them again. */
  readonly endedChallenges?: readonly string[];
}

export interface RecordedResponse {
  readonly outcome: AttemptOutcome;
  readonly amountApproved: Cents;
  readonly amountBreakdown?: AmountBreakdown;
  readonly resultCode: ResultCode;
}

/** The status of an operation. The first five hold its amount. */
export type Progress =
  | { readonly status: 'AwaitingCustomer' }
  | { readonly status: 'InFlight' }
  | ({ readonly status: 'ChallengeOpen' } & Omit<ChallengeOpened, keyof AttemptEventData | 'personal'>)
  | ({ readonly status: 'Interrupted' } & Pick<Interrupted, 'cause' | 'lostLink'>)
  | { readonly status: 'Processing' }
  | { readonly status: 'Approved'; readonly amount: Cents }
  | { readonly status: 'Declined'; readonly resultCode: ResultCode }
  | {
      readonly status: 'Cancelled';
      readonly resultCode: ResultCode;
      readonly responseCode?: ResponseCode;
      readonly hostText?: string;
    }
  | { readonly status: 'FormExpired' }
  | { readonly status: 'NotExecuted' }
  | { readonly status: 'NotSent'; readonly reason: string };

export const noPayment: PaymentState = { status: 'None' };

/** The operation has no outcome yet and holds its amount. */
export function isPending({ progress }: Operation): boolean {
  return progress.status === 'AwaitingCustomer' || isWithoutOutcome(progress.status);
}

export function isCaptured(kind: OperationKind): boolean {
  return kind === 'Sale' || kind === 'Capture';
}

/** The amount that has moved or was released. Late refunds, voids and reversals count: they can not be undone. */
export function movedAmount(operation: Operation): Cents {
  const approved = operation.progress.status === 'Approved' ? operation.progress.amount : 0;
  const late = undoesOperation(operation.kind) ? operation.lateApprovals : [];
  return late.reduce((sum, { amount }) => sum + amount, approved);
}

/** No attempt was executed or will be, as far as is known. */
export function wasNotExecuted({ progress, lateApprovals }: Operation): boolean {
  const closed = progress.status === 'NotSent' || progress.status === 'NotExecuted';
  return closed && lateApprovals.length === 0;
}

export function undoesOperation(kind: OperationKind): boolean {
  return kind === 'Refund' || kind === 'Void' || kind === 'Reversal';
}

export function findOperation(state: PaymentState, id: OperationId): Operation | undefined {
  return state.status === 'None' ? undefined : state.operations.find((operation) => operation.id === id);
}

export function findByCommandId(state: PaymentState, commandId: string): Operation | undefined {
  if (state.status === 'None') return undefined;
  return state.operations.find((operation) => operation.commandIds.includes(commandId));
}

/** The number of the attempt that has an outcome, or of the last one. */
export function executedAttemptNumber({ responses, attempt }: Operation): number {
  return responses[0]?.outcome.try ?? attempt?.number ?? 1;
}

/** The account of an attempt, or of its late execution; undefined if the stream has neither. */
export function accountOfAttempt(
  { accounts, lateApprovals }: Operation,
  number: number,
): ProcessorAccount | undefined {
  return accounts[number - 1] ?? lateApprovals.find((late) => late.try === number)?.account;
}

/**
 * How the cardholder of the last attempt was authenticated; else the facts of the newest answer that has any. While a
 * challenge is open there are none: those of an earlier attempt are of another card or another answer.
 */
export function latestThreeDs({
  attempt,
  responses,
  progress,
}: Pick<Operation, 'responses' | 'progress'> & { readonly attempt?: Attempt }): ThreeDsFacts | undefined {
  if (progress.status === 'ChallengeOpen') return attempt?.threeDs;
  return attempt?.threeDs ?? responses.find(({ outcome }) => outcome.threeDs)?.outcome.threeDs;
}
