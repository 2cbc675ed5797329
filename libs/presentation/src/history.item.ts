import type { ActorType, HistoryItem } from '@tillstream/contracts';
import type { PaymentEvent, PaymentMethodSnapshot, ThreeDsFacts, TokenEvent } from '@tillstream/domain';
import { snapshotDetails } from './payment-method.details.js';
import { threeDsShape } from './transaction.result.js';

/** An event of a payment or stored card, with its place and actor. */
export interface RecordedEvent {
  readonly sequence: number;
  readonly event: PaymentEvent | TokenEvent;
  readonly actor: { readonly type: ActorType; readonly name: string };
  readonly reason?: string;
  readonly traceId?: string;
}

/**
 * The public form of an event (`docs/spec/transactions.md#history`).
 */
export function historyItem({ sequence, event, actor, reason, traceId }: RecordedEvent): HistoryItem {
  return {
    sequence,
    type: event.type,
    timestamp: event.data.at,
    actor: { type: actor.type, name: actor.name },
    ...(reason !== undefined && { reason }),
    ...(traceId !== undefined && { traceId }),
    data: publicData(event.data),
  };
}

type Presenter = (value: never) => unknown;
const unchanged: Presenter = (value) => value;

/**
 * The allow-list of event fields, in the order of the response. Everything else stays internal: command ids, session
 * hashes, processor accounts, challenges, ciphertext of personal data.
 */
const PUBLIC_FIELDS: Readonly<Record<string, readonly [name: string, present: Presenter]>> = {
  operationId: ['transactionId', unchanged],
  originalOperationId: ['originalTransactionId', unchanged],
  referenceId: ['referenceId', unchanged],
  tokenId: ['paymentMethodId', unchanged],
  try: ['try', unchanged],
  executedAs: ['executedAs', unchanged],
  amount: ['amount', unchanged],
  requestedAmount: ['requestedAmount', unchanged],
  currency: ['currency', unchanged],
  amountBreakdown: ['amountBreakdown', unchanged],
  invoiceNumber: ['invoiceNumber', unchanged],
  orderNumber: ['orderNumber', unchanged],
  channel: ['channel', unchanged],
  paymentMethod: ['paymentMethod', (snapshot: PaymentMethodSnapshot) => snapshotDetails(snapshot)],
  token: ['token', (snapshot: PaymentMethodSnapshot) => snapshotDetails(snapshot)],
  description: ['description', unchanged],
  accountHolderId: ['accountHolderId', unchanged],
  erasedHolderId: ['erasedAccountHolderId', unchanged],
  initiator: ['initiator', unchanged],
  initiatorReason: ['initiatorReason', unchanged],
  source: ['source', unchanged],
  by: ['by', unchanged],
  cause: ['cause', unchanged],
  reason: ['reason', unchanged],
  resultCode: ['resultCode', unchanged],
  responseCode: ['responseCode', unchanged],
  hostCode: ['hostCode', unchanged],
  hostText: ['hostResponseText', unchanged],
  authCode: ['authCode', unchanged],
  gatewayTransactionId: ['gatewayTransactionId', unchanged],
  entryMode: ['entryMode', unchanged],
  card: ['card', unchanged],
  accountType: ['accountType', unchanged],
  avsResult: ['avsResult', unchanged],
  cvvResult: ['cvvResult', unchanged],
  threeDs: ['threeDs', (facts: ThreeDsFacts) => threeDsShape(facts)],
  receiptLines: ['receiptLines', unchanged],
  sendBefore: ['sendBefore', unchanged],
  lostLink: ['lostLink', unchanged],
  expiresAt: ['expiresAt', unchanged],
  batchId: ['batchId', unchanged],
  heldBy: ['heldBy', unchanged],
  returnId: ['returnId', unchanged],
  noticeId: ['noticeId', unchanged],
  code: ['code', unchanged],
  version: ['version', unchanged],
  language: ['language', unchanged],
  text: ['text', unchanged],
};

function publicData(data: RecordedEvent['event']['data']): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [field, [name, present]] of Object.entries(PUBLIC_FIELDS)) {
    const value: unknown = (data as unknown as Record<string, unknown>)[field];
    if (value !== undefined) fields[name] = present(value as never);
  }
  return fields;
}
