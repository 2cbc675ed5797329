import { needsConfirmation } from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import type { WorkItem, WorkSubject } from '../work-queue/work-queue.port.js';
import {
  operationSummary,
  findTargetOperation,
  isOpenToOperators,
  type TargetOperation,
} from './target-operation.js';
import { catchUpWorkQueue, toServiceTime, type UnknownOutcomesParts } from './unknown-outcomes.parts.js';
import {
  MOST_UNKNOWN_COUNTED,
  type UnknownOutcome,
  type UnknownOutcomesPage,
  type UnknownOutcomesRequest,
  type UnknownOutcomesSummary,
} from './unknown-outcomes.types.js';

/** Pages of the table that one page of the list may take: rows whose outcome was told a moment ago are passed over. */
const MOST_PAGES = 4;

/** From the resolver's table, so that its cost grows with neither history nor depth; each row's stream has the last word. */
export async function listUnknown(
  parts: UnknownOutcomesParts,
  { limit, merchantIds, after }: UnknownOutcomesRequest,
): Promise<UnknownOutcomesPage> {
  await catchUpWorkQueue(parts);
  const items: UnknownOutcome[] = [];
  let place = after && { since: after.since, subject: after.transactionId as WorkSubject };
  for (let page = 0; page < MOST_PAGES; page++) {
    const asked = limit + 1;
    const rows = await parts.workQueue.unknownOutcomes({
      dueBy: callerGoneBy(parts),
      limit: asked,
      ...(merchantIds && { merchantIds }),
      ...(place && { after: place }),
    });
    const shown = await Promise.all(rows.map((row) => visibleOutcome(parts, row)));
    for (const [index, outcome] of shown.entries()) {
      const row = rows[index] as WorkItem;
      if (outcome && items.length === limit) return { items, next: pageCursor(place) };
      if (outcome) items.push(outcome);
      place = row;
    }
    if (rows.length < asked) return { items, next: null };
  }
  return { items, next: pageCursor(place) };
}

export async function summarizeUnknown(parts: UnknownOutcomesParts): Promise<UnknownOutcomesSummary> {
  const { workQueue, resolving } = parts;
  const [{ count, oldestSince }, lateApprovals] = await Promise.all([
    workQueue.countUnknown(callerGoneBy(parts), MOST_UNKNOWN_COUNTED),
    workQueue.countOf('LateApproval'),
  ]);
  const age = oldestSince === undefined ? undefined : Math.max(0, resolving.clock.now() - oldestSince);
  return { open: count, ...(age !== undefined && { oldestAgeMs: age }), lateApprovals };
}

/** `row`: as it was last in the table, where it is there no more. */
export function unknownOutcomeView(
  { resolving: { clock } }: Pick<UnknownOutcomesParts, 'resolving'>,
  subject: TargetOperation,
  row: WorkItem | undefined,
  isOver = false,
): UnknownOutcome {
  const { operation, merchant } = subject;
  const nextInquiryAt = isOver || !row ? null : toServiceTime(row, clock);
  return {
    transactionId: operation.id,
    merchantId: merchant.id,
    ...operationSummary(subject),
    since: row ? iso(row.since) : operation.createdAt,
    inquiries: row?.step ?? 0,
    ...(nextInquiryAt !== null && { nextInquiryAt: iso(nextInquiryAt) }),
  };
}

async function visibleOutcome(
  parts: UnknownOutcomesParts,
  row: WorkItem,
): Promise<UnknownOutcome | undefined> {
  const subject = await findTargetOperation(parts.resolving, row.subject);
  if (!subject || !isOpenToOperators(subject)) return undefined;
  const outcome = unknownOutcomeView(parts, subject, row);
  if (!needsConfirmation(parts.rule, outcome.amount)) return outcome;
  const number = subject.operation.attempt?.number ?? 0;
  const proposal = await parts.resolutions.findProposal(subject.operation.id, number);
  return { ...outcome, ...(proposal && { proposal }) };
}

/** A first inquiry is due that long after the last one that may wait for the answer has gone. */
function callerGoneBy({ resolving: { clock, timings } }: UnknownOutcomesParts): number {
  return clock.realNow() + timings.margin;
}

function pageCursor(row: Pick<WorkItem, 'since' | 'subject'> | undefined): UnknownOutcomesPage['next'] {
  return row ? { since: row.since, transactionId: row.subject } : null;
}
