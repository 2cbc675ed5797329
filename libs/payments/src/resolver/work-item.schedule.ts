import type { WorkItem } from '../work-queue/work-queue.port.js';
import type { Timings } from '../timings.js';

/**
 * The result of one run of a work item.
 * - `Again`: the run failed or found no outcome; the schedule says when the next run is.
 * - `NextInquiry`: the processor answered this late inquiry; the schedule may have another one.
 * - `Operator`: only an operator can go on.
 * - `Unconfigured`: the processor is not configured. No operator could start this work again, so it waits for the processor.
 */
export type WorkItemResult = 'Done' | 'Again' | 'NextInquiry' | 'Operator' | 'Unconfigured';

type NextRun = Pick<WorkItem, 'clock' | 'dueAt' | 'step'>;

/**
 * When the next run is due, by the service's clock (`docs/spec/unknown-outcomes.md#timing`). `dueAt: null`: only an operator
 * can go on. Undefined: there is no next run.
 */
export function nextRun(
  work: WorkItem,
  result: Extract<WorkItemResult, 'Again' | 'NextInquiry' | 'Unconfigured'>,
  now: number,
  timings: Timings,
): NextRun | undefined {
  // Without a limit: the days for inquiries count only while the resolver can inquire.
  if (result === 'Unconfigured')
    return { clock: 'Service', dueAt: now + timings.inquiryEvery, step: work.step };
  const step = work.step + 1;
  const { inquirySteps, inquiryEvery, inquiriesFor, lateChecks } = timings;
  switch (work.kind) {
    case 'Outcome':
    case 'Answer': {
      const pause = inquirySteps[work.step] ?? inquiryEvery;
      const isLast = now + pause > work.since + inquiriesFor;
      return { clock: 'Service', dueAt: isLast ? null : now + pause, step };
    }
    case 'LateCheck': {
      if (result === 'Again') return retryLateInquiry(work, now, timings);
      const after = lateChecks[step];
      return after === undefined ? undefined : { clock: 'Service', dueAt: work.since + after, step };
    }
    default: {
      const pause = inquirySteps[Math.min(step, inquirySteps.length - 1)] ?? inquiryEvery;
      return { clock: 'Service', dueAt: now + pause, step };
    }
  }
}

/**
 * Repeats a late inquiry that the processor did not answer. Each pause is as long as the inquiry has waited already: at
 * least the first inquiry step, at most `inquiryEvery`.
 */
function retryLateInquiry({ since, step }: WorkItem, now: number, timings: Timings): NextRun {
  const firstDueAt = since + (timings.lateChecks[step] ?? 0);
  const shortest = timings.inquirySteps[0] ?? timings.inquiryEvery;
  const pause = Math.min(Math.max(now - firstDueAt, shortest), timings.inquiryEvery);
  const isLast = now + pause > firstDueAt + timings.inquiriesFor;
  return { clock: 'Service', dueAt: isLast ? null : now + pause, step };
}
