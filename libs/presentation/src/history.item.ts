import type { ActorType, HistoryItem } from '@tillstream/contracts';
import type { PaymentEvent, PaymentMethodSnapshot, ThreeDsFacts, TokenEvent } from '@tillstream/domain';
import { snapshotDetails } from './payment-method.details.js';
import { threeDsShape } from './transaction.result.js';

/** An event of a payment or a stored card as it was recorded. */
export interface RecordedFact {
  readonly sequence: number;
  readonly event: PaymentEvent | TokenEvent;
  readonly actor: { readonly type: ActorType; readonly name: string };
  readonly reason?: string;
  readonly traceId?: string;
}

/**
 * What a merchant may read of the history of its payment or stored card, for an audit
 * (`docs/spec/transactions.md#history`).
 */
export function historyItem({ sequence, event, actor, reason, traceId }: RecordedFact): HistoryItem {
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

type Shown = (value: never) => unknown;
const asItIs: Shown = (value) => value;

/**
 * An allow-list, in the order of showing: what is not named here stays inside (commands, hashes of sessions, the
 * processor's account, challenges, ciphertext of personal data).
 */
const SHOWN: Readonly<Record<string, readonly [name: string, shown: Shown]>> = {
  operationId: ['transactionId', asItIs],
  originalOperationId: ['originalTransactionId', asItIs],
  referenceId: ['referenceId', asItIs],
  tokenId: ['paymentMethodId', asItIs],
  try: ['try', asItIs],
  executedAs: ['executedAs', asItIs],
  amount: ['amount', asItIs],
  requestedAmount: ['requestedAmount', asItIs],
  currency: ['currency', asItIs],
  amountBreakdown: ['amountBreakdown', asItIs],
  invoiceNumber: ['invoiceNumber', asItIs],
  orderNumber: ['orderNumber', asItIs],
  channel: ['channel', asItIs],
  paymentMethod: ['paymentMethod', (snapshot: PaymentMethodSnapshot) => snapshotDetails(snapshot)],
  token: ['token', (snapshot: PaymentMethodSnapshot) => snapshotDetails(snapshot)],
  description: ['description', asItIs],
  accountHolderId: ['accountHolderId', asItIs],
  erasedHolderId: ['erasedAccountHolderId', asItIs],
  initiator: ['initiator', asItIs],
  initiatorReason: ['initiatorReason', asItIs],
  source: ['source', asItIs],
  by: ['by', asItIs],
  cause: ['cause', asItIs],
  reason: ['reason', asItIs],
  resultCode: ['resultCode', asItIs],
  responseCode: ['responseCode', asItIs],
  hostCode: ['hostCode', asItIs],
  hostText: ['hostResponseText', asItIs],
  authCode: ['authCode', asItIs],
  gatewayTransactionId: ['gatewayTransactionId', asItIs],
  entryMode: ['entryMode', asItIs],
  card: ['card', asItIs],
  accountType: ['accountType', asItIs],
  avsResult: ['avsResult', asItIs],
  cvvResult: ['cvvResult', asItIs],
  threeDs: ['threeDs', (facts: ThreeDsFacts) => threeDsShape(facts)],
  receiptLines: ['receiptLines', asItIs],
  sendBefore: ['sendBefore', asItIs],
  lostLink: ['lostLink', asItIs],
  expiresAt: ['expiresAt', asItIs],
  batchId: ['batchId', asItIs],
  heldBy: ['heldBy', asItIs],
  returnId: ['returnId', asItIs],
  noticeId: ['noticeId', asItIs],
  code: ['code', asItIs],
};

function publicData(data: RecordedFact['event']['data']): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [field, [name, show]] of Object.entries(SHOWN)) {
    const value: unknown = (data as unknown as Record<string, unknown>)[field];
    if (value !== undefined) shown[name] = show(value as never);
  }
  return shown;
}
