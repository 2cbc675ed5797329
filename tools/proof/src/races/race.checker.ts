import {
  errorIn,
  transactionIn,
  type ClientRequest,
  type ClientResponse,
} from '../support/client.request.js';
import type { PaymentHistory } from '../audit/histories.js';
import { expectedResult, type ExpectedResult } from './money.model.js';

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
  requests: ClientRequest,
  response: ClientResponse,
  history: PaymentHistory,
): CheckResult {
  const transaction = transactionIn(response);
  if (transaction) {
    const code = transaction.transactionResponses[0]?.responseCode;
    const at = history.events.findIndex(({ data }) => data.operationId === transaction.id);
    const due = verdictAfter(requests, history, at);
    const result = code === 21 ? 'already voided' : 'begins';
    if (code !== 21 && code !== 1)
      return { result: `200/${code}`, complaint: `${transaction.id}: answered 200/${code}` };
    return due === result
      ? { result: code === 21 ? '200/21' : '200/1' }
      : { result: `200/${code}`, complaint: `${transaction.id}: answered 200/${code} where ${due} was due` };
  }
  const code = errorIn(response)?.code;
  const result = `${response.status}/${code}`;
  if (![400, 409].includes(response.status) || (response.status === 409) !== (code === 3401))
    return { result, complaint: `${requests.key}: answered ${result}: ${response.text}` };
  const possible = possibleBetween(requests, response, history);
  if (possible.has(code as ExpectedResult) || (code === 3401 && lostToOthers(response, history)))
    return { result };
  return {
    result,
    complaint: `${requests.kind} of ${requests.body.amount ?? 'all'} on ${requests.body.originalTransactionId}: answered ${result}, possible were ${[...possible].join(', ')}`,
  };
}

function verdictAfter(
  { kind, body }: ClientRequest,
  { events }: PaymentHistory,
  count: number,
): ExpectedResult {
  if (kind !== 'Capture' && kind !== 'Refund' && kind !== 'Void') throw new Error('only follow-ups race');
  return expectedResult(events.slice(0, count), kind, body.originalTransactionId ?? '', body.amount);
}

function possibleBetween(
  requests: ClientRequest,
  response: ClientResponse,
  history: PaymentHistory,
): Set<ExpectedResult> {
  const { first, last } = possibleEventCounts(response, history);
  const possible = new Set<ExpectedResult>();
  for (let count = first; count <= last; count++) possible.add(verdictAfter(requests, history, count));
  return possible;
}

/** Other requests appended first each time. */
function lostToOthers(response: ClientResponse, history: PaymentHistory): boolean {
  const { first, last } = possibleEventCounts(response, history);
  return last - first >= DECISIONS;
}

/** The least and the greatest number of events that can have been written at the decision. */
function possibleEventCounts(
  { sentAt, receivedAt }: ClientResponse,
  { times }: PaymentHistory,
): { first: number; last: number } {
  const first = times.findIndex((time) => time >= sentAt - COMMIT_MAX_MS);
  const last = times.findLastIndex((time) => time <= receivedAt) + 1;
  return { first: first < 0 ? times.length : first, last };
}
