import type { Operation } from '@tillstream/domain';
import { transactionIn } from '../support/api.client.js';
import {
  errorIn,
  isDefinite,
  operationIdIn,
  type ClientRequest,
  type ClientResponse,
} from '../support/client.request.js';
import type { Evidence } from './deployment.audit.js';
import { operationsOf } from './operations.check.js';

/**
 * Compares responses with the events: no acknowledged operation is missing, differs from its response or has two
 * responses.
 */
export function responseErrors(evidence: Evidence): string[] {
  const byId = new Map<string, Operation>();
  const byReference = new Map<string, Operation>();
  for (const { operation } of operationsOf(evidence)) {
    byId.set(operation.id, operation);
    if (operation.referenceId !== undefined) byReference.set(operation.referenceId, operation);
  }
  const startTimes = startTimesOf(evidence);
  return evidence.requests.flatMap((request) => {
    const started = byReference.get(request.body.referenceId);
    // tokens.check.ts checks stored cards.
    const responses = request.kind === 'StoreCard' ? [] : request.responses;
    return [
      ...inconsistentResponses(request),
      ...falseRejections(request, started, startTimes),
      ...responses.flatMap((response) => responseError(request, response, byId, started)),
    ];
  });
}

/** When each operation was decided, real time, ms. */
function startTimesOf({ histories }: Pick<Evidence, 'histories'>): ReadonlyMap<string, number> {
  const started = new Map<string, number>();
  for (const { events, times } of histories) {
    for (const [index, { data }] of events.entries()) {
      if (!started.has(data.operationId)) started.set(data.operationId, times[index] ?? 0);
    }
  }
  return started;
}

/** A "Rejected" response is wrong for an operation that had started, unless its events say that it was never sent. */
function falseRejections(
  { key, responses }: ClientRequest,
  started: Operation | undefined,
  startTimes: ReadonlyMap<string, number>,
): string[] {
  if (!started || started.progress.status === 'NotSent') return [];
  const startedAt = startTimes.get(started.id) ?? Number.POSITIVE_INFINITY;
  return responses
    .filter((one) => one.status === 500 && errorIn(one)?.status === 'Rejected' && startedAt <= one.receivedAt)
    .map((one) => `${key}: answered "Rejected" (${errorIn(one)?.code}), but ${started.id} had begun`);
}

/**
 * One key has one operation and one response, byte for byte. A response that says "unknown" may change later, unless it
 * is a replay.
 */
function inconsistentResponses({ key, responses }: ClientRequest): string[] {
  const complaints: string[] = [];
  const ids = new Set(responses.map(operationIdIn).filter((id) => id !== undefined));
  if (ids.size > 1) complaints.push(`${key}: answered with ${[...ids].join(' and ')}`);
  const successes = new Set(responses.filter(({ status }) => status === 200).map(({ text }) => text));
  if (successes.size > 1) complaints.push(`${key}: its 200s differ: ${[...successes].join('\n')}`);
  for (const last of responses.filter(({ status, replayed }) => status === 200 || replayed)) {
    const other = responses.find(({ sentAt, text }) => sentAt > last.receivedAt && text !== last.text);
    if (other) complaints.push(`${key}: answered ${last.status}, and later ${other.status}: ${other.text}`);
  }
  return complaints;
}

function responseError(
  request: ClientRequest,
  response: ClientResponse,
  byId: ReadonlyMap<string, Operation>,
  started: Operation | undefined,
): string[] {
  const { key, kind, body } = request;
  const transaction = transactionIn(response);
  if (!transaction) return refusalErrors(request, response, started);
  const operation = byId.get(transaction.id);
  if (!operation) return [`${key}: 200 for ${transaction.id}, which is in no history`];
  const complaints: string[] = [];
  const differ = (what: string, shown: unknown, is: unknown): void => {
    if (shown !== is)
      complaints.push(
        `${key}: ${transaction.id} was answered with ${what} ${String(shown)}, it is ${String(is)}`,
      );
  };
  differ('type', transaction.type, operation.kind);
  differ('type', kind === 'TokenSale' ? 'Sale' : kind, operation.kind);
  differ('amount', transaction.amount, operation.amount);
  if (body.amount !== undefined) differ('amount', body.amount, operation.amount);
  differ('original', transaction.originalTransactionId, operation.originalId);
  differ('original', body.originalTransactionId, operation.originalId);
  differ('reference', transaction.referenceId, operation.referenceId);
  differ('reference', body.referenceId, operation.referenceId);
  const [outcome] = transaction.transactionResponses;
  const approved = outcome?.responseCode === 1 || outcome?.responseCode === 2 ? outcome.amountApproved : 0;
  differ(
    'approved amount',
    approved,
    operation.progress.status === 'Approved' ? operation.progress.amount : 0,
  );
  if (transaction.status !== 'Completed' && transaction.status !== 'Cancelled')
    complaints.push(`${key}: 200 with status ${transaction.status}, which is no outcome`);
  return complaints;
}

/**
 * "Rejected" promises that no money moved; a 4xx promises that no operation started. If nothing was stored the key is
 * free, and a later response may name an operation.
 */
function refusalErrors(
  { key, responses }: ClientRequest,
  response: ClientResponse,
  started: Operation | undefined,
): string[] {
  const isLast = responses.findLast(isDefinite) === response;
  if (!started || !(isLast || operationIdIn(response) === started.id)) return [];
  const { status } = response;
  const error = errorIn(response);
  if (status === 500 && error?.status === 'Rejected' && started.progress.status === 'Approved')
    return [`${key}: answered that nothing happened, but ${started.id} moved money`];
  if ([400, 401, 404].includes(status))
    return [`${key}: refused with ${status}/${error?.code}, but ${started.id} was begun`];
  return [];
}
