import { needsConfirmation } from '@tillstream/domain';
import { iso } from '../clock.port.js';
import type { Work, WorkSubject } from '../open-work.port.js';
import { factsOfSubject, findSubject, isOpenSubject, type Subject } from './subject.js';
import { lookAtHistory, serviceTimeOf, type UnknownOutcomesParts } from './unknown-outcomes.parts.js';
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
  await lookAtHistory(parts);
  const items: UnknownOutcome[] = [];
  let place = after && { since: after.since, subject: after.transactionId as WorkSubject };
  for (let page = 0; page < MOST_PAGES; page++) {
    const asked = limit + 1;
    const rows = await parts.table.unknownOutcomes({
      dueBy: goneBy(parts),
      limit: asked,
      ...(merchantIds && { merchantIds }),
      ...(place && { after: place }),
    });
    const shown = await Promise.all(rows.map((row) => shownRow(parts, row)));
    for (const [index, outcome] of shown.entries()) {
      const row = rows[index] as Work;
      if (outcome && items.length === limit) return { items, next: placeOf(place) };
      if (outcome) items.push(outcome);
      place = row;
    }
    if (rows.length < asked) return { items, next: null };
  }
  return { items, next: placeOf(place) };
}

export async function summary(parts: UnknownOutcomesParts): Promise<UnknownOutcomesSummary> {
  const { table, resolving } = parts;
  const [{ count, oldestSince }, lateApprovals] = await Promise.all([
    table.countUnknown(goneBy(parts), MOST_UNKNOWN_COUNTED),
    table.counted('LateApproval'),
  ]);
  const age = oldestSince === undefined ? undefined : Math.max(0, resolving.clock.now() - oldestSince);
  return { open: count, ...(age !== undefined && { oldestAgeMs: age }), lateApprovals };
}

/** `row`: as it was last in the table, where it is there no more. */
export function outcomeOf(
  { resolving: { clock } }: Pick<UnknownOutcomesParts, 'resolving'>,
  subject: Subject,
  row: Work | undefined,
  isOver = false,
): UnknownOutcome {
  const { operation, merchant } = subject;
  const nextInquiryAt = isOver || !row ? null : serviceTimeOf(row, clock);
  return {
    transactionId: operation.id,
    merchantId: merchant.id,
    ...factsOfSubject(subject),
    since: row ? iso(row.since) : operation.createdAt,
    inquiries: row?.step ?? 0,
    ...(nextInquiryAt !== null && { nextInquiryAt: iso(nextInquiryAt) }),
  };
}

async function shownRow(parts: UnknownOutcomesParts, row: Work): Promise<UnknownOutcome | undefined> {
  const subject = await findSubject(parts.resolving, row.subject);
  if (!subject || !isOpenSubject(subject)) return undefined;
  const outcome = outcomeOf(parts, subject, row);
  if (!needsConfirmation(parts.rule, outcome.amount)) return outcome;
  const number = subject.operation.attempt?.number ?? 0;
  const proposal = await parts.resolutions.proposal(subject.operation.id, number);
  return { ...outcome, ...(proposal && { proposal }) };
}

/** A first inquiry is due that long after the last one that may wait for the answer has gone. */
function goneBy({ resolving: { clock, timings } }: UnknownOutcomesParts): number {
  return clock.realNow() + timings.margin;
}

function placeOf(row: Pick<Work, 'since' | 'subject'> | undefined): UnknownOutcomesPage['next'] {
  return row ? { since: row.since, transactionId: row.subject } : null;
}
