import type { PaymentEvent } from '@tillstream/domain';
import type { PaymentHistory } from '../audit/histories.js';
import { transactionIn } from '../support/api.client.js';
import {
  errorIn,
  type ClientRequest,
  type ClientResponse,
  type FollowUpKind,
} from '../support/client.request.js';

/** The longest time between a decision, which stamps the event, and its commit. */
const COMMIT_MAX_MS = 500;
/** The service decides a request so often if other requests append first. */
const DECISIONS = 4;

export interface CheckResult {
  /** The response as `status/code`, for counting. */
  readonly result: string;
  readonly complaint?: string;
}

/**
 * Checks whether a response was possible. A stored operation has a position in the history and is compared with the
 * events before it. A refusal has none, so it must fit some moment between request and response.
 */
export function checkResponse(
  request: ClientRequest,
  response: ClientResponse,
  history: PaymentHistory,
): CheckResult {
  const transaction = transactionIn(response);
  if (transaction) {
    const code = transaction.transactionResponses[0]?.responseCode;
    const result = `200/${code}`;
    const shown = code === 1 ? 'begins' : code === 21 ? 'already voided' : undefined;
    if (shown === undefined) return { result, complaint: `${transaction.id}: answered ${result}` };
    const at = history.events.findIndex(({ data }) => data.operationId === transaction.id);
    const due = resultAfter(at, request, history);
    return due === shown
      ? { result }
      : { result, complaint: `${transaction.id}: answered ${result} where ${due} was due` };
  }
  const code = errorIn(response)?.code;
  const result = `${response.status}/${code}`;
  if (response.status === 500 && missedSendWindow(response, history)) return { result };
  if (!isRefusal(response.status, code))
    return { result, complaint: `${request.key}: answered ${result}: ${response.text}` };
  const counts = possibleEventCounts(response, history);
  const possible = new Set(counts.map((count) => resultAfter(count, request, history)));
  // Other requests may have appended first each time.
  const lostToOthers = code === 3401 && counts.length > DECISIONS;
  if (possible.has(code as ExpectedResult) || lostToOthers) return { result };
  const { amount = 'all', originalTransactionId } = request.body;
  return {
    result,
    complaint: `${request.kind} of ${amount} on ${originalTransactionId}: answered ${result}, possible were ${[...possible].join(', ')}`,
  };
}

/** @param count of the events before the decision */
function resultAfter(
  count: number,
  { kind, body }: ClientRequest,
  { events }: PaymentHistory,
): ExpectedResult {
  if (kind !== 'Capture' && kind !== 'Refund' && kind !== 'Void') throw new Error('only follow-ups race');
  return expectedResult(events.slice(0, count), kind, body.originalTransactionId ?? '', body.amount);
}

/** Of a request that had to wait for others, or that the money rules do not allow. */
function isRefusal(status: number, code: number | undefined): boolean {
  return status === 409 ? code === 3401 : status === 400 && code !== 3401;
}

/** A busy machine can miss the send window. The service then stores `NotSent` before it answers. */
function missedSendWindow(response: ClientResponse, { events, times }: PaymentHistory): boolean {
  const { sentAt, receivedAt } = response;
  if (errorIn(response)?.code !== 9000) return false;
  return events.some(({ type }, index) => {
    const time = times[index] ?? 0;
    return type === 'NotSent' && time >= sentAt && time <= receivedAt;
  });
}

/** The numbers of events that can have been written at the decision. */
function possibleEventCounts({ sentAt, receivedAt }: ClientResponse, { times }: PaymentHistory): number[] {
  const since = times.findIndex((time) => time >= sentAt - COMMIT_MAX_MS);
  const first = since < 0 ? times.length : since;
  const last = times.findLastIndex((time) => time <= receivedAt) + 1;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/** The result of a follow-up; a refusal is its code. */
type ExpectedResult = 'begins' | 'already voided' | 2011 | 2012 | 3401;

interface OriginalAmounts {
  readonly isAuth: boolean;
  readonly approved: number;
  /** Captured, released, refunded or voided. */
  readonly used: number;
  /** The part of `used` that was voided. */
  readonly voided: number;
  /** Amounts of follow-ups without an outcome. */
  readonly held: number;
}

/**
 * A second, minimal implementation of the money rules: the result that a request must have after these events. It
 * covers cards in an open batch, where each refund is executed as a void.
 */
export function expectedResult(
  events: readonly PaymentEvent[],
  kind: FollowUpKind,
  original: string,
  amount: number | undefined,
): ExpectedResult {
  const { isAuth, approved, used, voided, held } = amountsOf(events, original);
  const open = approved - used - held;
  if (isAuth ? kind === 'Refund' : kind === 'Capture') return 2011;
  if (amount === undefined ? held > 0 : amount > open && amount <= open + held) return 3401;
  if (voided >= approved) return 'already voided';
  if (isAuth && kind === 'Void') {
    if (open + held <= 0) return 2011;
    return (amount ?? open) > open ? 2012 : 'begins';
  }
  if (amount === undefined) return used > 0 ? 2012 : 'begins';
  return amount > open ? 2012 : 'begins';
}

function amountsOf(events: readonly PaymentEvent[], original: string): OriginalAmounts {
  const ofOriginal = events.filter(({ data }) => data.operationId === original);
  const isAuth = ofOriginal.some(({ type }) => type === 'AuthorizationRequested');
  let approved = 0;
  for (const { type, data } of ofOriginal)
    if (type === 'Authorized' || type === 'Captured') approved = data.amount;
  return { isAuth, approved, ...followUpAmounts(events, original) };
}

function followUpAmounts(
  events: readonly PaymentEvent[],
  original: string,
): Pick<OriginalAmounts, 'used' | 'voided' | 'held'> {
  const ids = new Set<string>();
  const held = new Map<string, number>();
  let used = 0;
  let voided = 0;
  for (const { type, data } of events) {
    const id = data.operationId;
    if ('originalOperationId' in data && data.originalOperationId === original && id !== original)
      ids.add(id);
    if (!ids.has(id)) continue;
    if (type === 'TryRequested') held.set(id, data.amount);
    if (OUTCOME_EVENTS.has(type)) held.delete(id);
    if (type === 'Captured' || type === 'Voided' || type === 'Refunded') used += data.amount;
    if (type === 'Voided') voided += data.amount;
  }
  return { used, voided, held: [...held.values()].reduce((sum, one) => sum + one, 0) };
}

const OUTCOME_EVENTS: ReadonlySet<PaymentEvent['type']> = new Set([
  'Captured',
  'Refunded',
  'Voided',
  'Declined',
  'Cancelled',
  'NotExecuted',
  'NotSent',
]);
