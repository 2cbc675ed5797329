import { needsConfirmation } from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import type { WorkItem, WorkSubject } from '../work-queue/work-queue.port.js';
import {
  operationSummary,
  findTargetOperation,
  isOpenToOperators,
  type TargetOperation,
  catchUpWorkQueue,
  toServiceTime,
  type UnknownOutcomesParts,
} from './target-operation.js';
import {
  MOST_UNKNOWN_COUNTED,
  type UnknownOutcome,
  type UnknownOutcomesPage,
  type UnknownOutcomesRequest,
  type UnknownOutcomesSummary,
} from './unknown-outcomes.types.js';
import type { Parts } from '../parts.js';

/** Pages of the work queue that one page of the list may read. Rows whose outcome is known by now are left out. */
const QUEUE_PAGES_MAX = 4;

/**
 * Reads the work queue, so that the cost grows neither with history nor with depth, and checks each row against its stream.
 */
export async function listUnknown(
  parts: UnknownOutcomesParts,
  { limit, merchantIds, after }: UnknownOutcomesRequest,
): Promise<UnknownOutcomesPage> {
  await catchUpWorkQueue(parts);
  const items: UnknownOutcome[] = [];
  let last = after && { since: after.since, subject: after.transactionId as WorkSubject };
  for (let page = 0; page < QUEUE_PAGES_MAX; page++) {
    const rows = await parts.workQueue.unknownOutcomes({
      dueBy: dueTimeOfWaitingClients(parts),
      limit: limit + 1,
      ...(merchantIds && { merchantIds }),
      ...(last && { after: last }),
    });
    const outcomes = await Promise.all(rows.map((row) => visibleOutcome(parts, row)));
    for (const [index, outcome] of outcomes.entries()) {
      const row = rows[index] as WorkItem;
      if (outcome && items.length === limit) return { items, next: pageCursor(last) };
      if (outcome) items.push(outcome);
      last = row;
    }
    if (rows.length <= limit) return { items, next: null };
  }
  return { items, next: pageCursor(last) };
}

export async function summarizeUnknown(parts: UnknownOutcomesParts): Promise<UnknownOutcomesSummary> {
  const { workQueue, clock } = parts;
  const [{ count, oldestSince }, lateApprovals] = await Promise.all([
    workQueue.countUnknown(dueTimeOfWaitingClients(parts), MOST_UNKNOWN_COUNTED),
    workQueue.countOf('LateApproval'),
  ]);
  const age = oldestSince === undefined ? undefined : Math.max(0, clock.now() - oldestSince);
  return { open: count, ...(age !== undefined && { oldestAgeMs: age }), lateApprovals };
}

/** @param row the work item, or its last version if it was removed */
export function unknownOutcomeView(
  { clock }: Parts,
  target: TargetOperation,
  row: WorkItem | undefined,
  isResolved = false,
): UnknownOutcome {
  const { operation, merchant } = target;
  const nextInquiryAt = isResolved || !row ? null : toServiceTime(row, clock);
  return {
    transactionId: operation.id,
    merchantId: merchant.id,
    ...operationSummary(target),
    since: row ? iso(row.since) : operation.createdAt,
    inquiries: row?.step ?? 0,
    ...(nextInquiryAt !== null && { nextInquiryAt: iso(nextInquiryAt) }),
  };
}

async function visibleOutcome(
  parts: UnknownOutcomesParts,
  row: WorkItem,
): Promise<UnknownOutcome | undefined> {
  const target = await findTargetOperation(parts, row.subject);
  if (!target || !isOpenToOperators(target)) return undefined;
  const outcome = unknownOutcomeView(parts, target, row);
  if (!needsConfirmation(parts.rule, outcome.amount)) return outcome;
  const number = target.operation.attempt?.number ?? 0;
  const proposal = await parts.resolutions.findProposal(target.operation.id, number);
  return { ...outcome, ...(proposal && { proposal }) };
}

/** Real time, ms. If a first inquiry is due later, a client may still wait for the response. */
function dueTimeOfWaitingClients({ clock, timings }: UnknownOutcomesParts): number {
  return clock.realNow() + timings.margin;
}

function pageCursor(row: Pick<WorkItem, 'since' | 'subject'> | undefined): UnknownOutcomesPage['next'] {
  return row ? { since: row.since, transactionId: row.subject } : null;
}
