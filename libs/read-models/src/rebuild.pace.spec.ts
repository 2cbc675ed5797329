import { rebuildPace } from './rebuild.pace.js';

describe('the pace of a rebuild', () => {
  it('has the percentage, the rate, and the time that is left at this rate', () => {
    expect(rebuildPace({ events: 250_000, expectedEvents: 1_000_000 }, 50_000)).toEqual({
      percent: 25,
      eventsPerSecond: 5_000,
      leftMs: 150_000,
    });
  });

  it('has no percentage and no end where the number of events is not known', () => {
    expect(rebuildPace({ events: 300 }, 2_000)).toEqual({ eventsPerSecond: 150 });
    expect(rebuildPace({ events: 300, expectedEvents: 0 }, 2_000)).toEqual({ eventsPerSecond: 150 });
  });

  it('has no end before the first event', () => {
    expect(rebuildPace({ events: 0, expectedEvents: 10 }, 0)).toEqual({ percent: 0, eventsPerSecond: 0 });
  });

  it('is never above 100 percent: events are added meanwhile', () => {
    expect(rebuildPace({ events: 12, expectedEvents: 10 }, 1_000)).toEqual({
      percent: 100,
      eventsPerSecond: 12,
      leftMs: 0,
    });
  });
});
