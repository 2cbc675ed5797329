import type { PaymentNet } from '@tillstream/sandbox';
import { parseOperationId } from '@tillstream/domain';
import type { Evidence } from './deployment.audit.js';
import type { PaymentHistory } from './histories.js';

/** Compares the net amount (captured less given back) of each payment by its events with the acquirer's own sum. */
export function netAmountErrors({ histories, nets }: Evidence): string[] {
  const complaints: string[] = [];
  const acquirers = new Map<string, number>();
  for (const net of nets) {
    const payment = rootOf(net.root);
    acquirers.set(payment, (acquirers.get(payment) ?? 0) + net.net);
    complaints.push(...limitErrors(net));
  }
  for (const history of histories) {
    const [, payment = ''] = history.stream.split('-');
    const ours = netOf(history);
    const theirs = acquirers.get(payment) ?? 0;
    if (ours !== theirs)
      complaints.push(`${history.stream}: net ${ours} by its events, ${theirs} at the acquirer`);
    acquirers.delete(payment);
  }
  for (const [payment, net] of acquirers) {
    complaints.push(`payment ${payment}: net ${net} at the acquirer, no history at all`);
  }
  return complaints;
}

function limitErrors({ root, authorized, captured, released, refunded, voided }: PaymentNet): string[] {
  const complaints: string[] = [];
  const reserved = authorized > 0;
  if (reserved && captured + released > authorized)
    complaints.push(`${root}: captured ${captured} + released ${released} > authorized ${authorized}`);
  if (refunded + voided > captured)
    complaints.push(`${root}: refunded ${refunded} + voided ${voided} > captured ${captured}`);
  return complaints;
}

function rootOf(key: string): string {
  return parseOperationId(key.split('.')[0] ?? '')?.root ?? key;
}

function netOf({ events }: PaymentHistory): number {
  let net = 0;
  const authorizations = new Set<string>();
  const credits = new Set<string>();
  const backOf = (original: string | undefined, amount: number): number => {
    if (original === undefined) return -amount;
    if (authorizations.has(original)) return 0;
    return credits.has(original) ? amount : -amount;
  };
  for (const { type, data } of events) {
    if (type === 'AuthorizationRequested') authorizations.add(data.operationId);
    if (type === 'UnreferencedRefundRequested') credits.add(data.operationId);
    if (type === 'Captured') net += data.amount;
    if (type === 'BankReturned') net -= data.amount;
    if (type === 'Refunded' || type === 'Voided' || type === 'Reversed')
      net += backOf(data.originalOperationId, data.amount);
    if (type === 'LateApprovalFound' && !authorizations.has(data.operationId)) net += lateEffect(data);
  }
  return net;

  function lateEffect({ operationId, amount }: { readonly operationId: string; readonly amount: number }) {
    const requested = events.find(({ data }) => data.operationId === operationId);
    if (requested?.type === 'SaleRequested' || requested?.type === 'CaptureRequested') return amount;
    if (requested && 'originalOperationId' in requested.data)
      return backOf(requested.data.originalOperationId, amount);
    return -amount;
  }
}
