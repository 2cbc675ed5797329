import { ProgressClock, progressLine } from './progress.line.js';

describe('the progress of a rebuild', () => {
  function clockAt(ms: number) {
    let now = 0;
    const clock = new ProgressClock(() => now);
    now = ms;
    return { clock, pass: (more: number) => (now += more) };
  }

  it('shows a bar, the rate and the time left where it is known how much there is', () => {
    const { clock } = clockAt(10_000);
    expect(
      progressLine('transactions', { phase: 'Reading', events: 250_000, expectedEvents: 1_000_000 }, clock),
    ).toBe('transactions  [######------------------]  25 %  250,000 events, 25,000/s, 30 s left');
  });

  it('shows the rate alone where it is not', () => {
    const { clock } = clockAt(1_000);
    expect(progressLine('tokens', { phase: 'Reading', events: 500 }, clock)).toBe(
      'tokens  reading events, 500 events, 500/s',
    );
  });

  it('never shows more than all, when more came meanwhile', () => {
    const { clock } = clockAt(1_000);
    expect(progressLine('tokens', { phase: 'Reading', events: 600, expectedEvents: 500 }, clock)).toContain(
      '100 %',
    );
  });

  it('shows each phase at once, and else five times a second', () => {
    const { clock, pass } = clockAt(0);
    const reading = { phase: 'Reading', events: 1 } as const;
    expect([clock.isDue(reading), clock.isDue(reading)]).toEqual([true, false]);
    expect(clock.isDue({ phase: 'Indexing', events: 1 })).toBe(true);
    pass(200);
    expect(clock.isDue({ phase: 'Indexing', events: 1 })).toBe(true);
  });
});
