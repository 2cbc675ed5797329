import { isDeferred } from '@tillstream/domain';
import type { WorkItem } from '../work-queue/work-queue.port.js';
import { workItemId } from '../work-queue/work-item.changes.js';
import { workItemLeaseMs, runWorkItem } from '../resolver/work-item.runner.js';
import {
  findTargetOperation,
  isOpenToOperators,
  knownOperation,
  describeProgress,
  type TargetOperation,
} from './target-operation.js';
import { unknownOutcomeView } from './unknown-outcomes.list.js';
import {
  catchUpWorkQueue,
  findWorkItem,
  tooEarly,
  type UnknownOutcomesParts,
} from './unknown-outcomes.parts.js';
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
  const subject = await findTargetOperation(parts.resolving, transactionId);
  if (!subject) return { kind: 'NotFound' };
  if (!isOpenToOperators(subject)) return { kind: 'KnownAlready', what: describeProgress(subject) };
  await catchUpWorkQueue(parts);
  const row = await findWorkItem(parts, subject);
  // What a bank or a cardholder has promised is asked for by itself, as long as its time is not over.
  const isPromised = isDeferred(subject.operation) && row?.dueAt !== null;
  if (isPromised) return { kind: 'KnownAlready', what: describeProgress(subject) };
  const early = tooEarly(parts, subject, row);
  if (early) return early;

  const work = await leaseWorkItem(parts, subject, row);
  if (!work) return { kind: 'InHand' };
  await recordForcedInquiry(parts, operator, subject, work);
  const { actor, traceId } = operator;
  await runWorkItem({ ...parts.resolving, onBehalfOf: { actor, traceId } }, parts.workQueue, work);
  return inquiryResult(parts, transactionId, work);
}

/** Nobody else has it until it is done. Without a row, which is made from history just now, nobody knows of it. */
async function leaseWorkItem(
  { workQueue, resolving: { clock, timings } }: UnknownOutcomesParts,
  { operation, merchant }: TargetOperation,
  row: WorkItem | undefined,
): Promise<WorkItem | undefined> {
  if (row) return workQueue.claim(row.id, clock.realNow(), workItemLeaseMs(timings));
  return {
    id: workItemId('Outcome', operation.id),
    kind: 'Outcome',
    subject: operation.id,
    merchantId: merchant.id,
    clock: 'Real',
    dueAt: clock.realNow(),
    step: 0,
    since: Date.parse(operation.createdAt),
  };
}

async function recordForcedInquiry(
  { resolutions, workQueue }: UnknownOutcomesParts,
  { actor, traceId }: OperatorContext,
  { operation, merchant }: TargetOperation,
  work: WorkItem,
): Promise<void> {
  const cause = { merchantId: merchant.id, actor, traceId, causationId: operation.id };
  try {
    await resolutions.recordForcedInquiry(cause, operation.id, operation.attempt?.number ?? 0);
  } catch (error) {
    await workQueue.reschedule(work.id, work);
    throw error;
  }
}

async function inquiryResult(
  parts: UnknownOutcomesParts,
  transactionId: string,
  work: WorkItem,
): Promise<InquireResult> {
  const subject = await findTargetOperation(parts.resolving, transactionId);
  if (!subject) return { kind: 'NotFound' };
  const known = knownOperation(subject);
  if (isOpenToOperators(subject)) {
    const row = await findWorkItem(parts, subject);
    return { kind: 'Unknown', outcome: unknownOutcomeView(parts, subject, row ?? work), known };
  }
  return {
    kind: 'Known',
    outcome: unknownOutcomeView(parts, subject, { ...work, step: work.step + 1 }, true),
    known,
  };
}
