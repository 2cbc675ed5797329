import type { OpenWorkStore, Work } from '../open-work.port.js';
import type { Timings } from '../timings.js';
import type { ResolveParts } from './case.js';
import { resolve } from './resolve.js';
import { nextStep } from './schedule.js';

/**
 * Does a claimed piece of work and puts it where it belongs then. A handler that throws is tried again by the schedule: a
 * store that is down now may be back then.
 */
export async function workOff(parts: ResolveParts, table: OpenWorkStore, work: Work): Promise<void> {
  const { log, clock, timings } = parts;
  const worked = await resolve(parts, work).catch((error: unknown) => {
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
      : nextStep(work, worked, clock.now(), timings);
  if (!next) return table.remove(work);
  if (next.dueAt === null) log.error('operator-needed', { kind: work.kind, subject: work.subject });
  return table.reschedule(work.id, next);
}

/** A handler inquires, annuls or sends again, and no more; after that it was killed, and another may have its work. */
export function claimMs({ sendWithin, processorDeadline, margin }: Timings): number {
  return sendWithin + 3 * processorDeadline + margin;
}
