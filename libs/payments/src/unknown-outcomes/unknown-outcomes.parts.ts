import { isDeferred, type ConfirmationRule } from '@tillstream/domain';
import { iso, type Clock } from '../ports/clock.port.js';
import type { WorkQueue, WorkItem } from '../work-queue/work-queue.port.js';
import type { ResolverParts } from '../resolver/payment.context.js';
import { workItemId } from '../work-queue/work-item.changes.js';
import type { WorkResolver } from '../resolver/resolver.js';
import type { ResolutionProposals } from './resolution-proposals.js';
import type { TargetOperation } from './target-operation.js';
import type { NoActionResult } from './unknown-outcomes.types.js';

export interface UnknownOutcomesParts {
  readonly resolving: ResolverParts;
  /** What feeds the table. */
  readonly resolver: Pick<WorkResolver, 'feed'>;
  readonly workQueue: WorkQueue;
  readonly resolutions: ResolutionProposals;
  readonly rule: ConfirmationRule;
}

/** Hundreds of events each at least: enough for what came since the resolver's last look, and never all of history. */
const PAGES_FED = 5;

/** What happened a moment ago is in the table then; a long history is left to the resolver. */
export function catchUpWorkQueue({ resolver }: UnknownOutcomesParts): Promise<unknown> {
  return resolver.feed({ pages: PAGES_FED });
}

/** The row of its inquiries; undefined where the table is still being made from history. */
export function findWorkItem(
  { workQueue }: UnknownOutcomesParts,
  { operation }: TargetOperation,
): Promise<WorkItem | undefined> {
  return workQueue.find(workItemId(isDeferred(operation) ? 'Answer' : 'Outcome', operation.id));
}

/**
 * Until the first inquiry is due its caller may still wait, and its sender may still write what it hears: nobody comes
 * in between (`docs/spec/unknown-outcomes.md#operators`).
 */
export function tooEarly(
  { resolving: { clock, timings } }: UnknownOutcomesParts,
  { operation }: TargetOperation,
  row: WorkItem | undefined,
): Extract<NoActionResult, { kind: 'TooEarly' }> | undefined {
  const byTry = Date.parse(operation.attempt?.answerBefore ?? operation.createdAt) + timings.margin;
  const isFirst = row !== undefined && row.clock === 'Real' && row.dueAt !== null;
  const dueAt = isFirst ? (row.dueAt ?? byTry) : row ? Number.NEGATIVE_INFINITY : byTry;
  if (dueAt <= clock.realNow()) return undefined;
  return { kind: 'TooEarly', firstInquiryAt: iso(toServiceTime({ clock: 'Real', dueAt }, clock)) };
}

/** When it is due as operators see it, beside times of the service: in a sandbox its clock may be days ahead. */
export function toServiceTime<Due extends number | null>(
  { clock: by, dueAt }: { readonly clock: WorkItem['clock']; readonly dueAt: Due },
  clock: Pick<Clock, 'now' | 'realNow'>,
): Due {
  if (dueAt === null || by === 'Service') return dueAt;
  return (dueAt + clock.now() - clock.realNow()) as Due;
}
