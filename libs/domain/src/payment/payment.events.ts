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
 * Storage: these shapes never change (docs/adr/0014). A changed shape gets a new schema version and an upcast in
 * payment.codec.ts.
 *
 * Times are RFC 3339 UTC with milliseconds, by the service clock; `sendBefore` and `answerBefore` are real time.
 */

export type PaymentEvent =
  // Requests of a client. Each holds its amount until it has an outcome.
  | Event<'SaleRequested', PaymentRequested>
  | Event<'AuthorizationRequested', PaymentRequested>
  | Event<'UnreferencedRefundRequested', PaymentRequested>
  | Event<'CaptureRequested', CaptureRequested>
  | Event<'RefundRequested', RefundRequested>
  | Event<'VoidRequested', VoidRequested>
  // Requests of the service itself.
  | Event<'ReversalRequested', ReversalRequested>
  // Attempts.
  | Event<'TryRequested', TryRequested>
  | Event<'ResendRequested', ResendRequested>
  | Event<'NotSent', NotSent>
  | Event<'Interrupted', Interrupted>
  | Event<'ChallengeOpened', ChallengeOpened>
  | Event<'ChallengeEnded', ChallengeEnded>
  | Event<'Submitted', AttemptOutcome>
  | Event<'TryFailed', TryFailed>
  // Outcomes. A sale is Authorized + Captured in one append, with one operation id.
  | Event<'Authorized', Authorized>
  | Event<'Captured', Captured>
  | Event<'Refunded', Refunded>
  | Event<'Voided', Voided>
  | Event<'Reversed', Reversed>
  | Event<'Declined', Declined>
  | Event<'Cancelled', Cancelled>
  | Event<'FormExpired', FormExpired>
  | Event<'NotExecuted', NotExecuted>
  // Facts that no open request caused.
  | Event<'LateApprovalFound', LateApprovalFound>
  | Event<'AuthorizationExpired', AuthorizationExpired>
  | Event<'Batched', Batched>
  | Event<'LeftForNextBatch', LeftForNextBatch>
  | Event<'BankReturned', BankReturned>
  | Event<'NoticeOfChangeReceived', NoticeOfChangeReceived>
  | Event<'ChargebackReceived', ChargebackReceived>;

export type PaymentEventType = PaymentEvent['type'];
export type PaymentEventOf<Type extends PaymentEventType> = Extract<PaymentEvent, { type: Type }>;
