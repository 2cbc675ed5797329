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
  readonly resolver: Pick<WorkResolver, 'feed'>;
  readonly workQueue: WorkQueue;
  readonly resolutions: ResolutionProposals;
  readonly rule: ConfirmationRule;
}

/** Pages of hundreds of events: enough for all events since the resolver's last round, but not for a whole rebuild. */
const PAGES_FED = 5;

/** Feeds recent events to the work queue. A rebuild is left to the resolver. */
export function catchUpWorkQueue({ resolver }: UnknownOutcomesParts): Promise<unknown> {
  return resolver.feed({ pages: PAGES_FED });
}

/** Finds the work item of the operation's inquiries. Undefined while the work queue is being rebuilt. */
export function findWorkItem(
  { workQueue }: UnknownOutcomesParts,
  { operation }: TargetOperation,
): Promise<WorkItem | undefined> {
  return workQueue.find(workItemId(isDeferred(operation) ? 'Answer' : 'Outcome', operation.id));
}

/**
 * Before the first inquiry is due the client may still wait, and the sender may still record the response. Until then no
 * operator may act (`docs/spec/unknown-outcomes.md#operators`).
 */
export function tooEarly(
  { resolving: { clock, timings } }: UnknownOutcomesParts,
  { operation }: TargetOperation,
  row: WorkItem | undefined,
): Extract<NoActionResult, { kind: 'TooEarly' }> | undefined {
  const byAttempt = Date.parse(operation.attempt?.answerBefore ?? operation.createdAt) + timings.margin;
  const isFirst = row !== undefined && row.clock === 'Real' && row.dueAt !== null;
  const dueAt = isFirst ? (row.dueAt ?? byAttempt) : row ? Number.NEGATIVE_INFINITY : byAttempt;
  if (dueAt <= clock.realNow()) return undefined;
  return { kind: 'TooEarly', firstInquiryAt: iso(toServiceTime({ clock: 'Real', dueAt }, clock)) };
}

/** Converts a due time to the service's clock, by which operators see all times. In a sandbox it may be days ahead. */
export function toServiceTime<Due extends number | null>(
  { clock: by, dueAt }: { readonly clock: WorkItem['clock']; readonly dueAt: Due },
  clock: Pick<Clock, 'now' | 'realNow'>,
): Due {
  if (dueAt === null || by === 'Service') return dueAt;
  return (dueAt + clock.now() - clock.realNow()) as Due;
}
