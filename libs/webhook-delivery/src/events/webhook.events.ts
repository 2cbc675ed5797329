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
  readonly operationId: OperationId;
  readonly merchantId: string;
  /** RFC 3339, service clock. */
  readonly timestamp: string;
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
): WebhookEvent | undefined {
  if (after.status === 'None') return undefined;
  const { operationId, at: timestamp } = data;
  const { merchantId } = after;
  const now = findOperation(after, operationId);
  if (!now || now.kind === 'Reversal') return undefined;
  if (type === 'BankReturned') return { type: 'payment.returned', operationId, merchantId, timestamp };
  if (!isCompleted(now.progress)) return undefined;
  const earlier = findOperation(before, operationId);
  if (earlier && isCompleted(earlier.progress)) return undefined;
  return { type: COMPLETED[now.kind], operationId, merchantId, timestamp };
}

/** As `webhookEventOfPayment`. A card that was not stored sends none. */
export function webhookEventOfToken(
  before: TokenState,
  { data }: TokenEvent,
  after: TokenState,
): WebhookEvent | undefined {
  if (after.status === 'None') return undefined;
  const { operationId, at: timestamp } = data;
  const now = findTokenOperation(after, operationId);
  if (now?.progress.status !== 'Approved') return undefined;
  if (findTokenOperation(before, operationId)?.progress.status === 'Approved') return undefined;
  return { type: TOKEN_EVENT[now.kind], operationId, merchantId: after.merchantId, timestamp };
}
