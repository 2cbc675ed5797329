import type {
  AttemptOutcome,
  Authorized,
  Captured,
  Refunded,
  Voided,
  Reversed,
  Declined,
  TryFailed,
  Cancelled,
  FormExpired,
  NotExecuted,
  LateApprovalFound,
  AuthorizationExpired,
  Batched,
  LeftForNextBatch,
  BankReturned,
  NoticeOfChangeReceived,
  ChargebackReceived,
} from './events/outcome.events.js';
import type {
  PaymentRequested,
  CaptureRequested,
  RefundRequested,
  VoidRequested,
  ReversalRequested,
  TryRequested,
  ResendRequested,
  NotSent,
  Interrupted,
  ChallengeOpened,
  ChallengeEnded,
} from './events/request.events.js';
import type { Event } from '../shared/event.shapes.js';

export type * from './events/outcome.events.js';
export type * from './events/request.events.js';

/*
 * These shapes are storage: once landed they never change. What must be said otherwise gets a new schema version and an
 * upcast in payment.codec.ts; what is new gets a new event type.
 *
 * Times are RFC 3339 UTC with milliseconds, by the service's clock, but `sendBefore` and `answerBefore`, which are real time.
 */

export type PaymentEvent =
  // A client asked. Each holds its amount until an outcome.
  | Event<'SaleRequested', PaymentRequested>
  | Event<'AuthorizationRequested', PaymentRequested>
  | Event<'UnreferencedRefundRequested', PaymentRequested>
  | Event<'CaptureRequested', CaptureRequested>
  | Event<'RefundRequested', RefundRequested>
  | Event<'VoidRequested', VoidRequested>
  // The service asked of itself.
  | Event<'ReversalRequested', ReversalRequested>
  // On the way to the processor.
  | Event<'TryRequested', TryRequested>
  | Event<'ResendRequested', ResendRequested>
  | Event<'NotSent', NotSent>
  | Event<'Interrupted', Interrupted>
  | Event<'ChallengeOpened', ChallengeOpened>
  | Event<'ChallengeEnded', ChallengeEnded>
  | Event<'Submitted', AttemptOutcome>
  | Event<'TryFailed', TryFailed>
  // How an operation ended. A sale is Authorized + Captured in one append under one operation id.
  | Event<'Authorized', Authorized>
  | Event<'Captured', Captured>
  | Event<'Refunded', Refunded>
  | Event<'Voided', Voided>
  | Event<'Reversed', Reversed>
  | Event<'Declined', Declined>
  | Event<'Cancelled', Cancelled>
  | Event<'FormExpired', FormExpired>
  | Event<'NotExecuted', NotExecuted>
  // Facts that come on their own.
  | Event<'LateApprovalFound', LateApprovalFound>
  | Event<'AuthorizationExpired', AuthorizationExpired>
  | Event<'Batched', Batched>
  | Event<'LeftForNextBatch', LeftForNextBatch>
  | Event<'BankReturned', BankReturned>
  | Event<'NoticeOfChangeReceived', NoticeOfChangeReceived>
  | Event<'ChargebackReceived', ChargebackReceived>;

export type PaymentEventType = PaymentEvent['type'];
export type PaymentEventOf<Type extends PaymentEventType> = Extract<PaymentEvent, { type: Type }>;
