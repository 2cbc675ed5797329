import { errorMessage } from '@tillstream/runtime';
import type { WorkItem } from '../work-queue/work-queue.port.js';
import type { Timings } from '../timings.js';
import { handleWorkItem } from './work-item.handler.js';
import { nextRun } from './work-item.schedule.js';
import type { Parts } from '../parts.js';

/** Runs a claimed work item, then removes or reschedules it. A handler that throws runs again by the schedule. */
export async function runWorkItem(parts: Parts, work: WorkItem): Promise<void> {
  const { workQueue, log, clock, timings } = parts;
  const result = await handleWorkItem(parts, work).catch((error: unknown) => {
    log.error('work-failed', {
      kind: work.kind,
      subject: work.subject,
      reason: errorMessage(error),
    });
    return 'Again' as const;
  });
  if (result === 'Done') return workQueue.remove(work);
  const next =
    result === 'Operator'
      ? { clock: 'Service' as const, dueAt: null, step: work.step + 1 }
      : nextRun(work, result, clock.now(), timings);
  if (!next) return workQueue.remove(work);
  if (next.dueAt === null) log.error('operator-needed', { kind: work.kind, subject: work.subject });
  return workQueue.reschedule(work.id, next);
}

/**
 * How long a claim lasts, ms. A handler makes at most three requests and sends once. If it runs longer, its process has
 * died, and another process may claim the work item.
 */
export function workItemLeaseMs({ sendWithin, processorDeadline, margin }: Timings): number {
  return sendWithin + 3 * processorDeadline + margin;
}
