import fc from 'fast-check';
import type { SubmissionOutcome } from './keyed.limit.js';
import {
  SubmissionLimits,
  type AllowedSubmission,
  type SubmissionLimitSettings,
  type Submission,
} from './submission.limits.js';

const WINDOW_MS = 600_000;

interface Passed {
  readonly submission: Submission;
  readonly at: number;
  outcome?: { readonly kind: SubmissionOutcome; readonly at: number };
}

const submissions = fc.record({
  ip: fc.constantFrom('192.0.2.1', '192.0.2.2', '2001:db8:0:1::/64'),
  bin: fc.constantFrom('42424242', '51051051'),
  merchantId: fc.constantFrom('mer_1', 'mer_2'),
});
const steps = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('Submit' as const), submission: submissions }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('Finish' as const),
      which: fc.nat(),
      outcome: fc.constantFrom<SubmissionOutcome>('Declined', 'Declined', 'Approved', 'Other'),
    }),
  },
  // Now and then the clock goes backwards.
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('Pass' as const),
      ms: fc.integer({ min: -90_000, max: 400_000 }),
    }),
  },
);
type Step = typeof steps extends fc.Arbitrary<infer One> ? One : never;
const limits = fc.record({
  ipSubmissions: fc.integer({ min: 0, max: 8 }),
  ipDeclines: fc.integer({ min: 0, max: 4 }),
  binDeclines: fc.integer({ min: 0, max: 4 }),
  merchantDeclines: fc.integer({ min: 0, max: 5 }),
});

/**
 * All submissions that passed, with their outcomes, if they have one. A time is the latest that the limits have read from the
 * clock.
 */
function run(allowed: SubmissionLimitSettings, history: readonly Step[]): Passed[] {
  let clock = 0;
  let now = 0;
  const checked = new SubmissionLimits(allowed, () => {
    now = Math.max(now, clock);
    return clock;
  });
  const passed: Passed[] = [];
  const inFlight: (readonly [Passed, AllowedSubmission])[] = [];
  for (const step of history) {
    if (step.kind === 'Pass') {
      clock += step.ms;
      continue;
    }
    if (step.kind === 'Submit') {
      const result = checked.check(step.submission);
      if (result.kind === 'Refused') continue;
      const one = { submission: step.submission, at: now };
      passed.push(one);
      inFlight.push([one, result]);
    } else {
      const [[one, allowed] = []] = inFlight.splice(step.which % Math.max(1, inFlight.length), 1);
      if (!one) continue;
      allowed?.record(step.outcome);
      one.outcome = { kind: step.outcome, at: now };
    }
  }
  return passed;
}

const within = (end: number, at: number): boolean => at <= end && at > end - WINDOW_MS;

/** For each submission that passed: those of the same key in the ten minutes before it, and itself. */
function* windows(passed: readonly Passed[], keyOf: (submission: Submission) => string) {
  for (const [index, last] of passed.entries()) {
    const same = passed.filter(({ submission }) => keyOf(submission) === keyOf(last.submission));
    const before = passed.slice(0, index + 1).filter((one) => same.includes(one) && within(last.at, one.at));
    yield {
      submitted: before.length,
      declined: before.filter(({ outcome }) => outcome?.kind === 'Declined').length,
      lastDeclined: last.outcome?.kind === 'Declined',
      approved: same.filter(({ outcome }) => outcome?.kind === 'Approved' && within(last.at, outcome.at))
        .length,
    };
  }
}

describe('Of the submissions that pass in any ten minutes', () => {
  const check = (holds: (passed: readonly Passed[], allowed: SubmissionLimitSettings) => void) =>
    fc.assert(
      fc.property(limits, fc.array(steps, { maxLength: 80, size: 'max' }), (allowed, history) =>
        holds(run(allowed, history), allowed),
      ),
      { numRuns: 300 },
    );

  it('never more than the limit of an address are declined, and never more pass than its other limit', () => {
    check((passed, { ipDeclines, ipSubmissions }) => {
      for (const { declined, submitted } of windows(passed, ({ ip }) => ip)) {
        if (ipDeclines > 0) expect(declined).toBeLessThanOrEqual(ipDeclines);
        if (ipSubmissions > 0) expect(submitted).toBeLessThanOrEqual(ipSubmissions);
      }
    });
  });

  it.each([
    ['BIN', 'binDeclines', ({ bin, merchantId }: Submission) => `${merchantId} ${bin}`],
    ['merchant', 'merchantDeclines', ({ merchantId }: Submission) => merchantId],
  ] as const)('never more than the limit of a %s and its approvals are declined', (_name, setting, keyOf) => {
    check((passed, allowed) => {
      if (allowed[setting] === 0) return;
      for (const { declined, lastDeclined, approved } of windows(passed, keyOf)) {
        if (lastDeclined) expect(declined).toBeLessThanOrEqual(allowed[setting] + approved);
      }
    });
  });
});
