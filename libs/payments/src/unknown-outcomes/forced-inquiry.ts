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
  catchUpWorkQueue,
  findWorkItem,
  tooEarly,
  type UnknownOutcomesParts,
} from './target-operation.js';
import { unknownOutcomeView } from './unknown-outcomes.list.js';
import type { InquireResult, OperatorContext } from './unknown-outcomes.types.js';

/**
 * Runs the resolver's work item now, in the operator's name. It inquires, and then annuls, sends again or records as the
 * resolver would. The schedule of later inquiries goes on from this one.
 */
export async function inquireNow(
  parts: UnknownOutcomesParts,
  operator: OperatorContext,
  transactionId: string,
): Promise<InquireResult> {
  const target = await findTargetOperation(parts, transactionId);
  if (!target) return { kind: 'NotFound' };
  if (!isOpenToOperators(target)) return { kind: 'KnownAlready', what: describeProgress(target) };
  await catchUpWorkQueue(parts);
  const row = await findWorkItem(parts, target);
  // The resolver still inquires about a response that a bank or a challenge promised.
  const isScheduled = isDeferred(target.operation) && row?.dueAt !== null;
  if (isScheduled) return { kind: 'KnownAlready', what: describeProgress(target) };
  const early = tooEarly(parts, target, row);
  if (early) return early;

  const work = await leaseWorkItem(parts, target, row);
  if (!work) return { kind: 'InHand' };
  await recordForcedInquiry(parts, operator, target, work);
  const { actor, traceId } = operator;
  await runWorkItem({ ...parts, onBehalfOf: { actor, traceId } }, work);
  return inquiryResult(parts, transactionId, work);
}

/** Claims the work item. While the work queue is being rebuilt there is no row to claim, and the item is made here. */
async function leaseWorkItem(
  { workQueue, clock, timings }: UnknownOutcomesParts,
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
  const target = await findTargetOperation(parts, transactionId);
  if (!target) return { kind: 'NotFound' };
  const known = knownOperation(target);
  if (isOpenToOperators(target)) {
    const row = await findWorkItem(parts, target);
    return { kind: 'Unknown', outcome: unknownOutcomeView(parts, target, row ?? work), known };
  }
  return {
    kind: 'Known',
    outcome: unknownOutcomeView(parts, target, { ...work, step: work.step + 1 }, true),
    known,
  };
}
