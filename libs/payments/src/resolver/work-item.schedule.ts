import type { WorkItem } from '../work-queue/work-queue.port.js';
import type { Timings } from '../timings.js';
import type { WorkItemResult } from './work-item.result.js';

type NextRun = Pick<WorkItem, 'clock' | 'dueAt' | 'step'>;

/**
 * When to look again, by the service's clock (`docs/spec/unknown-outcomes.md#timing`); `null`: only an operator can
 * tell. Undefined: never.
 */
export function nextRun(
  work: WorkItem,
  worked: Extract<WorkItemResult, 'Again' | 'NextLook' | 'Unconfigured'>,
  now: number,
  timings: Timings,
): NextRun | undefined {
  // However long that takes: the time in which a processor has to answer does not run while it is not asked.
  if (worked === 'Unconfigured')
    return { clock: 'Service', dueAt: now + timings.inquiryEvery, step: work.step };
  const step = work.step + 1;
  switch (work.kind) {
    case 'Outcome':
    case 'Answer': {
      const pause = timings.inquirySteps[work.step] ?? timings.inquiryEvery;
      const over = now + pause > work.since + timings.inquiriesFor;
      return { clock: 'Service', dueAt: over ? null : now + pause, step };
    }
    case 'LateCheck': {
      if (worked === 'Again') return retryLateInquiry(work, now, timings);
      const after = timings.lateChecks[step];
      return after === undefined ? undefined : { clock: 'Service', dueAt: work.since + after, step };
    }
    case 'Expiry':
    case 'Notice':
    case 'Reversal':
    case 'RefundLimit':
    case 'KeyDestruction':
    case 'Erasure':
      return {
        clock: 'Service',
        dueAt:
          now +
          (timings.inquirySteps[Math.min(step, timings.inquirySteps.length - 1)] ?? timings.inquiryEvery),
        step,
      };
  }
}

/** A look that nobody answered is not over: each pause is as long as it has waited already, within limits. */
function retryLateInquiry({ since, step }: WorkItem, now: number, timings: Timings): NextRun {
  const wasDue = since + (timings.lateChecks[step] ?? 0);
  const shortest = timings.inquirySteps[0] ?? timings.inquiryEvery;
  const pause = Math.min(Math.max(now - wasDue, shortest), timings.inquiryEvery);
  const over = now + pause > wasDue + timings.inquiriesFor;
  return { clock: 'Service', dueAt: over ? null : now + pause, step };
}
