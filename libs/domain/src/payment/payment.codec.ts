import { eventCodec, type Upcast } from '../shared/codec.js';
import type { PaymentEvent } from './payment.events.js';

/** Version 1 was written only where a caller had waited, and never for a terminal's lost link. */
const interruptedWithCause: Upcast = (data) => ({ ...data, cause: 'NoAnswer', lostLink: false });

/** Every type, with what lifts its older versions. Frozen examples of each version are in `fixtures/`. */
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
