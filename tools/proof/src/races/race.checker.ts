import type { PaymentHistory } from '../audit/histories.js';
import { transactionIn } from '../support/api.client.js';
import { errorIn, type ClientRequest, type ClientResponse } from '../support/client.request.js';
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
  if (![400, 409].includes(response.status) || (response.status === 409) !== (code === 3401))
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

/** The numbers of events that can have been written at the decision. */
function possibleEventCounts({ sentAt, receivedAt }: ClientResponse, { times }: PaymentHistory): number[] {
  const since = times.findIndex((time) => time >= sentAt - COMMIT_MAX_MS);
  const first = since < 0 ? times.length : since;
  const last = times.findLastIndex((time) => time <= receivedAt) + 1;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}
