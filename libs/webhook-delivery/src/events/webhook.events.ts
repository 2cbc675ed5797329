import {
  findOperation,
  findTokenOperation,
  type OperationId,
  type OperationKind,
  type PaymentEvent,
  type PaymentState,
  type Progress,
  type TokenEvent,
  type TokenOperationKind,
  type TokenState,
  type WebhookEventType,
} from '@tillstream/domain';

/** A webhook event that a stored event makes (`docs/spec/webhooks.md#when-an-event-is-sent`). */
export interface WebhookEvent {
  readonly type: WebhookEventType;
  /** What it is about: an operation, a merchant's application or a pricing template. */
  readonly subjectId: string;
  readonly merchantId: string;
  /** RFC 3339, service clock. */
  readonly timestamp: string;
}

export interface OperationWebhookEvent extends WebhookEvent {
  readonly subjectId: OperationId;
}

/** The service's own operations send none. */
const COMPLETED: Readonly<Record<Exclude<OperationKind, 'Reversal'>, WebhookEventType>> = {
  Sale: 'sale.completed',
  Auth: 'auth.completed',
  Capture: 'capture.completed',
  Refund: 'refund.completed',
  UnreferencedRefund: 'refund.completed',
  Void: 'void.completed',
};

const TOKEN_EVENT: Readonly<Record<TokenOperationKind, WebhookEventType>> = {
  TokenCreate: 'token.created',
  TokenUpdate: 'token.updated',
  TokenRemove: 'token.removed',
};

/** The public status of these is `Completed` (`docs/spec/transactions.md#endings`). */
export function isCompleted({ status }: Pick<Progress, 'status'>): boolean {
  return status === 'Approved' || status === 'Declined' || status === 'NotExecuted';
}

/**
 * The webhook event of an event of a payment, from the states before and after it: `*.completed` when the operation's
 * status becomes `Completed`, and `payment.returned` for each return by the bank.
 */
export function webhookEventOfPayment(
  before: PaymentState,
  { type, data }: PaymentEvent,
  after: PaymentState,
): OperationWebhookEvent | undefined {
  if (after.status === 'None') return undefined;
  const { operationId: subjectId, at: timestamp } = data;
  const { merchantId } = after;
  const now = findOperation(after, subjectId);
  if (!now || now.kind === 'Reversal') return undefined;
  if (type === 'BankReturned') return { type: 'payment.returned', subjectId, merchantId, timestamp };
  if (!isCompleted(now.progress)) return undefined;
  const earlier = findOperation(before, subjectId);
  if (earlier && isCompleted(earlier.progress)) return undefined;
  return { type: COMPLETED[now.kind], subjectId, merchantId, timestamp };
}

/** As `webhookEventOfPayment`. A card that was not stored sends none. */
export function webhookEventOfToken(
  before: TokenState,
  { data }: TokenEvent,
  after: TokenState,
): OperationWebhookEvent | undefined {
  if (after.status === 'None') return undefined;
  const { operationId: subjectId, at: timestamp } = data;
  const now = findTokenOperation(after, subjectId);
  if (now?.progress.status !== 'Approved') return undefined;
  if (findTokenOperation(before, subjectId)?.progress.status === 'Approved') return undefined;
  return { type: TOKEN_EVENT[now.kind], subjectId, merchantId: after.merchantId, timestamp };
}
