import { RebuildWatch } from './rebuild.watch.js';

describe('a rebuild that takes long', () => {
  let now: number;
  let lines: (readonly [event: string, fields: object])[];
  let watch: RebuildWatch;

  beforeEach(() => {
    [now, lines] = [1_000, []];
    const log = { info: (event: string, fields: object) => void lines.push([event, fields]) };
    watch = new RebuildWatch('transactions', log, () => now);
  });

  const readTo = (events: number, expectedEvents?: number): void =>
    watch.report({ phase: 'Reading', events, ...(expectedEvents !== undefined && { expectedEvents }) });

  it('is logged every 15 seconds, with its percentage, rate and time left', () => {
    for (let second = 1; second <= 40; second++) {
      now += 1_000;
      readTo(second * 10_000, 1_000_000);
    }
    expect(lines).toEqual([
      [
        'rebuild-progress',
        {
          projection: 'transactions',
          phase: 'Reading',
          events: 150_000,
          expectedEvents: 1_000_000,
          percent: 15,
          eventsPerSecond: 10_000,
          leftSeconds: 85,
        },
      ],
      ['rebuild-progress', expect.objectContaining({ events: 300_000, percent: 30, leftSeconds: 70 })],
    ]);
  });

  it('is logged without an end where it is not known', () => {
    now += 20_000;
    readTo(500);
    expect(lines[0]?.[1]).toEqual({
      projection: 'transactions',
      phase: 'Reading',
      events: 500,
      eventsPerSecond: 25,
    });
  });

  it('that ends soon is not logged, and is known all the same', () => {
    now += 14_999;
    readTo(70, 100);
    expect(lines).toEqual([]);
    expect(watch.running).toEqual({
      projection: 'transactions',
      phase: 'Reading',
      events: 70,
      expectedEvents: 100,
    });
  });
});
