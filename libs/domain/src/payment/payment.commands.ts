import type { SendWindow, AttemptPlan } from '../attempt/index.js';
import type { Channel, Currency } from '../shared/codes.js';
import type { Decision } from '../shared/decision.js';
import type { OperationId } from '../shared/ids.js';
import type { AmountBreakdown, Cents } from '../shared/money.js';
import type { PaymentRejection } from './payment.errors.js';
import type { HostedForm, PaymentEvent } from './payment.events.js';
import type { PaymentMethodSnapshot } from '../shared/event.shapes.js';

/** The value is the operation that was requested, by this command or, without events, by an earlier one with the same `commandId`. */
export type PaymentDecision = Decision<PaymentEvent, PaymentRejection, OperationId>;

interface ClientCommand {
  readonly at: string;
  readonly commandId: string;
  /** Absent: derived from the operation's id. */
  readonly referenceId?: string;
  readonly amountBreakdown?: Partial<AmountBreakdown>;
  readonly invoiceNumber?: string;
  readonly orderNumber?: string;
}

export interface OpenPayment extends ClientCommand {
  readonly kind: 'Sale' | 'Auth' | 'UnreferencedRefund';
  readonly operationId: OperationId;
  readonly merchantId: string;
  readonly amount: Cents;
  readonly currency: Currency;
  readonly channel: Channel;
  readonly paymentMethod: PaymentMethodSnapshot;
  readonly terminalId?: string;
  readonly accountHolderId?: string;
  readonly initiator?: 'Customer' | 'Merchant';
  readonly initiatorReason?: 'Recurring' | 'Installment' | 'Unscheduled';
  /** Either `form`, which waits for its customer, or `attemptPlan`, for an attempt at once. */
  readonly form?: HostedForm;
  readonly attemptPlan?: AttemptPlan;
}

export interface FollowUp extends ClientCommand {
  readonly originalOperationId: OperationId;
  /** Absent: the whole amount. */
  readonly amount?: Cents;
  /** The attempt goes to the processor and account of the original. */
  readonly sendWindow: SendWindow;
}
