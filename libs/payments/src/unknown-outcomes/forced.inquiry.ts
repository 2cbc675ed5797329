import { isDeferred } from '@tillstream/domain';
import type { Work } from '../open-work.port.js';
import { workId } from '../resolver/work.change.js';
import { claimMs, workOff } from '../resolver/work.off.js';
import { findSubject, isOpenSubject, knownOf, whatIsKnown, type Subject } from './subject.js';
import { outcomeOf } from './unknown-outcomes.list.js';
import { lookAtHistory, rowOf, tooEarly, type UnknownOutcomesParts } from './unknown-outcomes.parts.js';
import type { InquireResult, OperatorContext } from './unknown-outcomes.types.js';

/**
 * One inquiry now, as the resolver makes it: it annuls, sends again or records as that would. The next one that comes by
 * itself counts from this one.
 */
export async function inquireNow(
  parts: UnknownOutcomesParts,
  operator: OperatorContext,
  transactionId: string,
): Promise<InquireResult> {
  const subject = await findSubject(parts.resolving, transactionId);
  if (!subject) return { kind: 'NotFound' };
  if (!isOpenSubject(subject)) return { kind: 'KnownAlready', what: whatIsKnown(subject) };
  await lookAtHistory(parts);
  const row = await rowOf(parts, subject);
  // What a bank or a cardholder has promised is asked for by itself, as long as its time is not over.
  const isPromised = isDeferred(subject.operation) && row?.dueAt !== null;
  if (isPromised) return { kind: 'KnownAlready', what: whatIsKnown(subject) };
  const early = tooEarly(parts, subject, row);
  if (early) return early;

  const work = await claimed(parts, subject, row);
  if (!work) return { kind: 'InHand' };
  await record(parts, operator, subject, work);
  const { actor, traceId } = operator;
  await workOff({ ...parts.resolving, onBehalfOf: { actor, traceId } }, parts.table, work);
  return came(parts, transactionId, work);
}

/** Nobody else has it until it is done. Without a row, which is made from history just now, nobody knows of it. */
async function claimed(
  { table, resolving: { clock, timings } }: UnknownOutcomesParts,
  { operation, merchant }: Subject,
  row: Work | undefined,
): Promise<Work | undefined> {
  if (row) return table.claim(row.id, clock.realNow(), claimMs(timings));
  return {
    id: workId('Outcome', operation.id),
    kind: 'Outcome',
    subject: operation.id,
    merchantId: merchant.id,
    clock: 'Real',
    dueAt: clock.realNow(),
    step: 0,
    since: Date.parse(operation.createdAt),
  };
}

async function record(
  { resolutions, table }: UnknownOutcomesParts,
  { actor, traceId }: OperatorContext,
  { operation, merchant }: Subject,
  work: Work,
): Promise<void> {
  const cause = { merchantId: merchant.id, actor, traceId, causationId: operation.id };
  try {
    await resolutions.inquiryForced(cause, operation.id, operation.attempt?.number ?? 0);
  } catch (error) {
    await table.reschedule(work.id, work);
    throw error;
  }
}

async function came(parts: UnknownOutcomesParts, transactionId: string, work: Work): Promise<InquireResult> {
  const subject = await findSubject(parts.resolving, transactionId);
  if (!subject) return { kind: 'NotFound' };
  const known = knownOf(subject);
  if (isOpenSubject(subject)) {
    const row = await rowOf(parts, subject);
    return { kind: 'Unknown', outcome: outcomeOf(parts, subject, row ?? work), known };
  }
  return { kind: 'Known', outcome: outcomeOf(parts, subject, { ...work, step: work.step + 1 }, true), known };
}
