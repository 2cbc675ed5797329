import type { Work } from '../open-work.port.js';
import type { Timings } from '../timings.js';

type Next = Pick<Work, 'clock' | 'dueAt' | 'step'>;

/** When to look again, by the service's clock (`decisions.md` 9); `null`: only an operator can tell. Undefined: never. */
export function nextStep(work: Work, now: number, timings: Timings): Next | undefined {
  const step = work.step + 1;
  switch (work.kind) {
    case 'Outcome': {
      const pause = timings.inquirySteps[work.step] ?? timings.inquiryEvery;
      const over = now + pause > work.since + timings.inquiriesFor;
      return { clock: 'Service', dueAt: over ? null : now + pause, step };
    }
    case 'LateCheck': {
      const after = timings.lateChecks[step];
      return after === undefined ? undefined : { clock: 'Service', dueAt: work.since + after, step };
    }
    case 'Expiry':
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
