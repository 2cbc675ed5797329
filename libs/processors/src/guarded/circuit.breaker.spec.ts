import fc from 'fast-check';
import { CircuitBreaker, type BreakerSettings, type CallEvidence } from './circuit.breaker.js';

const settings: BreakerSettings = { failures: 5, percent: 50, windowMs: 30_000, openMs: 10_000 };

/** A breaker, and a clock that stands still until it is told otherwise. */
function begun(more: Partial<BreakerSettings> = {}) {
  let now = 1_000_000;
  const breaker = new CircuitBreaker({ ...settings, ...more }, () => now);
  return {
    breaker,
    pass: (ms: number) => void (now += ms),
    /** A call that is let through and ends so. False where it is kept back. */
    call: (evidence: CallEvidence) => {
      const pass = breaker.tryEnter();
      pass?.settle(evidence);
      return pass !== undefined;
    },
    calls: (count: number, evidence: CallEvidence) => {
      for (let n = 0; n < count; n++) breaker.tryEnter()?.settle(evidence);
    },
  };
}

describe('A circuit breaker', () => {
  it('opens at so many failures, and not before', () => {
    const { breaker, calls, call } = begun();
    calls(4, 'Failed');
    expect(breaker.state).toBe('Closed');
    calls(1, 'Failed');
    expect(breaker.state).toBe('Open');
    expect(call('Answered')).toBe(false);
  });

  it('stays closed while fewer than so many of a hundred fail', () => {
    const { breaker, calls } = begun();
    calls(6, 'Answered');
    calls(5, 'Failed');
    expect(breaker.state).toBe('Closed');
    calls(1, 'Failed');
    expect(breaker.state).toBe('Open');
  });

  it('does not count what says nothing of the other side', () => {
    const { breaker, calls } = begun();
    calls(4, 'Failed');
    calls(1_000, 'Nothing');
    expect(breaker.state).toBe('Closed');
  });

  it('forgets what is older than its window', () => {
    const { breaker, calls, pass } = begun();
    calls(4, 'Failed');
    pass(30_000);
    calls(4, 'Failed');
    expect(breaker.state).toBe('Closed');
    pass(20_000);
    calls(1, 'Failed');
    expect(breaker.state).toBe('Open');
  });

  it('set to 0 never opens', () => {
    const { breaker, calls } = begun({ failures: 0 });
    calls(10_000, 'Failed');
    expect(breaker.state).toBe('Closed');
  });

  it('open, lets one call try after its time; the others are kept back until that one has ended', () => {
    const { breaker, calls, pass, call } = begun();
    calls(5, 'Failed');
    pass(9_999);
    expect(call('Answered')).toBe(false);
    pass(1);
    expect(breaker.state).toBe('HalfOpen');
    const trial = breaker.tryEnter();
    expect(trial).toBeDefined();
    expect(call('Answered')).toBe(false);
    trial?.settle('Answered');
    expect(breaker.state).toBe('Closed');
  });

  it('opens again for its whole time when the trial fails', () => {
    const { breaker, calls, pass, call } = begun();
    calls(5, 'Failed');
    pass(10_000);
    expect(call('Failed')).toBe(true);
    expect(breaker.state).toBe('Open');
    pass(9_999);
    expect(call('Answered')).toBe(false);
    pass(1);
    expect(call('Answered')).toBe(true);
    expect(breaker.state).toBe('Closed');
  });

  it('lets the next try at once when a trial said nothing', () => {
    const { breaker, calls, pass, call } = begun();
    calls(5, 'Failed');
    pass(10_000);
    expect(call('Nothing')).toBe(true);
    expect(breaker.state).toBe('HalfOpen');
    expect(call('Answered')).toBe(true);
    expect(breaker.state).toBe('Closed');
  });

  it('lets another try when the first takes long', () => {
    const { breaker, calls, pass, call } = begun();
    calls(5, 'Failed');
    pass(10_000);
    const dawdling = breaker.tryEnter();
    pass(10_000);
    expect(call('Answered')).toBe(true);
    dawdling?.settle('Failed');
    expect(breaker.state).toBe('Closed');
  });

  it('starts anew when it closes: old failures, and calls from before, count no more', () => {
    const { breaker, calls, pass, call } = begun({ windowMs: 3_600_000 });
    const before = Array.from({ length: 20 }, () => breaker.tryEnter());
    calls(5, 'Failed');
    pass(10_000);
    expect(call('Answered')).toBe(true);
    for (const old of before) old?.settle('Failed');
    calls(4, 'Failed');
    expect(breaker.state).toBe('Closed');
  });

  it('counts a call once, however often it is settled', () => {
    const { breaker } = begun();
    const one = breaker.tryEnter();
    for (let n = 0; n < 10; n++) one?.settle('Failed');
    expect(breaker.state).toBe('Closed');
  });

  it('whatever happens, never lets more than one through in its open time, and lets one through after it', () => {
    const step = fc.record({
      evidence: fc.constantFrom<CallEvidence>('Answered', 'Failed'),
      ms: fc.nat({ max: 4_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const { breaker, pass, call } = begun();
        let openFor: number | undefined;
        for (const { evidence, ms } of steps) {
          const wasClosed = breaker.state === 'Closed';
          const passed = call(evidence);
          if (!wasClosed && openFor !== undefined) expect(passed).toBe(openFor >= 10_000);
          if (passed) openFor = breaker.state === 'Closed' ? undefined : 0;
          pass(ms);
          if (openFor !== undefined) openFor += ms;
        }
      }),
    );
  });
});
