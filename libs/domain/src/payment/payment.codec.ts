import { eventCodec, type Upcast } from '../shared/codec.js';
import type { PaymentEvent } from './payment.events.js';

/** The service wrote version 1 only when a client had waited, and never for a lost connection to a terminal. */
const interruptedWithCause: Upcast = (data) => ({ ...data, cause: 'NoAnswer', lostLink: false });

/** Frozen examples of each version are in `fixtures/`. */
export const paymentCodec = eventCodec<PaymentEvent>({
  types: {
    SaleRequested: [],
    AuthorizationRequested: [],
    UnreferencedRefundRequested: [],
    CaptureRequested: [],
    RefundRequested: [],
    VoidRequested: [],
    ReversalRequested: [],
    TryRequested: [],
    ResendRequested: [],
    NotSent: [],
    Interrupted: [interruptedWithCause],
    ChallengeOpened: [],
    ChallengeEnded: [],
    Submitted: [],
    TryFailed: [],
    Authorized: [],
    Captured: [],
    Refunded: [],
    Voided: [],
    Reversed: [],
    Declined: [],
    Cancelled: [],
    FormExpired: [],
    NotExecuted: [],
    LateApprovalFound: [],
    AuthorizationExpired: [],
    Batched: [],
    LeftForNextBatch: [],
    BankReturned: [],
    NoticeOfChangeReceived: [],
    ChargebackReceived: [],
  },
});
