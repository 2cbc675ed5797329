import type { Clock } from '@tillstream/payments';

/** The service's clock of the sandbox can be moved forward; the other two are what they are. */
export function sandboxClock(offset: { now(): number }): Clock {
  return {
    now: () => offset.now(),
    realNow: () => Date.now(),
    monotonicNow: () => performance.now(),
  };
}
