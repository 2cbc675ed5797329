import fc from 'fast-check';
import { CircuitBreaker, type BreakerSettings, type CallEvidence } from './circuit.breaker.js';

const settings: BreakerSettings = { failures: 5, percent: 50, windowMs: 30_000, openMs: 10_000 };

/** A breaker with a clock that `pass` moves. */
function createBreaker(more: Partial<BreakerSettings> = {}) {
  let now = 1_000_000;
  const breaker = new CircuitBreaker({ ...settings, ...more }, () => now);
  return {
    breaker,
    pass: (ms: number) => void (now += ms),
    /** @returns whether the breaker admitted the call */
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
  it('opens at the configured number of failures, and not before', () => {
    const { breaker, calls, call } = createBreaker();
    calls(4, 'Failed');
    expect(breaker.state).toBe('Closed');
    calls(1, 'Failed');
    expect(breaker.state).toBe('Open');
    expect(call('Answered')).toBe(false);
  });

  it('stays closed while the share of failures is below the configured percentage', () => {
    const { breaker, calls } = createBreaker();
    calls(6, 'Answered');
    calls(5, 'Failed');
    expect(breaker.state).toBe('Closed');
    calls(1, 'Failed');
    expect(breaker.state).toBe('Open');
  });

  it('does not count calls without evidence', () => {
    const { breaker, calls } = createBreaker();
    calls(4, 'Failed');
    calls(1_000, 'Nothing');
    expect(breaker.state).toBe('Closed');
  });

  it('ignores failures that are older than its window', () => {
    const { breaker, calls, pass } = createBreaker();
    calls(4, 'Failed');
    pass(30_000);
    calls(4, 'Failed');
    expect(breaker.state).toBe('Closed');
    pass(20_000);
    calls(1, 'Failed');
    expect(breaker.state).toBe('Open');
  });

  it('never opens with the setting 0', () => {
    const { breaker, calls } = createBreaker({ failures: 0 });
    calls(10_000, 'Failed');
    expect(breaker.state).toBe('Closed');
  });

  it('admits one trial call after its open time, and refuses the others until that one has ended', () => {
    const { breaker, calls, pass, call } = createBreaker();
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

  it('opens again for its whole open time when the trial call fails', () => {
    const { breaker, calls, pass, call } = createBreaker();
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

  it('admits the next trial call at once after a trial call without evidence', () => {
    const { breaker, calls, pass, call } = createBreaker();
    calls(5, 'Failed');
    pass(10_000);
    expect(call('Nothing')).toBe(true);
    expect(breaker.state).toBe('HalfOpen');
    expect(call('Answered')).toBe(true);
    expect(breaker.state).toBe('Closed');
  });

  it('admits another trial call when the first takes long', () => {
    const { breaker, calls, pass, call } = createBreaker();
    calls(5, 'Failed');
    pass(10_000);
    const slow = breaker.tryEnter();
    pass(10_000);
    expect(call('Answered')).toBe(true);
    slow?.settle('Failed');
    expect(breaker.state).toBe('Closed');
  });

  it('ignores old failures, and calls that began earlier, after it has closed', () => {
    const { breaker, calls, pass, call } = createBreaker({ windowMs: 3_600_000 });
    const earlier = Array.from({ length: 20 }, () => breaker.tryEnter());
    calls(5, 'Failed');
    pass(10_000);
    expect(call('Answered')).toBe(true);
    for (const call of earlier) call?.settle('Failed');
    calls(4, 'Failed');
    expect(breaker.state).toBe('Closed');
  });

  it('counts a call once, even if it is settled several times', () => {
    const { breaker } = createBreaker();
    const call = breaker.tryEnter();
    for (let n = 0; n < 10; n++) call?.settle('Failed');
    expect(breaker.state).toBe('Closed');
  });

  it('never admits more than one call in its open time, and admits one after it', () => {
    const step = fc.record({
      evidence: fc.constantFrom<CallEvidence>('Answered', 'Failed'),
      ms: fc.nat({ max: 4_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const { breaker, pass, call } = createBreaker();
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
