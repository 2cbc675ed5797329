import type { WorkQueue, WorkItem } from '../work-queue/work-queue.port.js';
import type { Timings } from '../timings.js';
import type { ResolverParts } from './payment.context.js';
import { handleWorkItem } from './work-item.handler.js';
import { nextRun } from './work-item.schedule.js';

/**
 * Does a claimed piece of work and puts it where it belongs then. A handler that throws is tried again by the schedule: a
 * store that is down now may be back then.
 */
export async function runWorkItem(parts: ResolverParts, table: WorkQueue, work: WorkItem): Promise<void> {
  const { log, clock, timings } = parts;
  const worked = await handleWorkItem(parts, work).catch((error: unknown) => {
    log.error('work-failed', {
      kind: work.kind,
      subject: work.subject,
      reason: error instanceof Error ? error.message : String(error),
    });
    return 'Again' as const;
  });
  if (worked === 'Done') return table.remove(work);
  const next =
    worked === 'Operator'
      ? { clock: 'Service' as const, dueAt: null, step: work.step + 1 }
      : nextRun(work, worked, clock.now(), timings);
  if (!next) return table.remove(work);
  if (next.dueAt === null) log.error('operator-needed', { kind: work.kind, subject: work.subject });
  return table.reschedule(work.id, next);
}

/** A handler inquires, annuls or sends again, and no more; after that it was killed, and another may have its work. */
export function workItemLeaseMs({ sendWithin, processorDeadline, margin }: Timings): number {
  return sendWithin + 3 * processorDeadline + margin;
}
