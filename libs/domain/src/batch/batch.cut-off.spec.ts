import fc from 'fast-check';
import { nextCutOff } from './batch.cut-off.js';

const NEW_YORK = 'America/New_York';
const next = (after: string, cutOff = '22:00', timeZone = NEW_YORK) =>
  new Date(nextCutOff(Date.parse(after), timeZone, cutOff)).toISOString();

describe('the next cut-off', () => {
  it('is 22:00 in New York, in winter and in summer', () => {
    expect(next('2026-01-15T12:00:00.000Z')).toBe('2026-01-16T03:00:00.000Z');
    expect(next('2026-07-15T12:00:00.000Z')).toBe('2026-07-16T02:00:00.000Z');
  });

  it('is strictly after the given instant, so that money moved at the cut-off belongs to the next day', () => {
    expect(next('2026-01-16T02:59:59.999Z')).toBe('2026-01-16T03:00:00.000Z');
    expect(next('2026-01-16T03:00:00.000Z')).toBe('2026-01-17T03:00:00.000Z');
  });

  it('comes 23 hours after the one before in spring, and 25 in autumn', () => {
    expect(next('2026-03-08T03:00:00.000Z')).toBe('2026-03-09T02:00:00.000Z');
    expect(next('2026-11-01T02:00:00.000Z')).toBe('2026-11-02T03:00:00.000Z');
  });

  it('moves a time that the clocks skip forward by the length of the gap', () => {
    expect(next('2026-03-08T05:00:00.000Z', '02:30')).toBe('2026-03-08T07:30:00.000Z');
    expect(next('2026-03-08T07:30:00.000Z', '02:30')).toBe('2026-03-09T06:30:00.000Z');
  });

  it('takes the first of a time that the clocks show twice, and only once', () => {
    expect(next('2026-11-01T04:00:00.000Z', '01:30')).toBe('2026-11-01T05:30:00.000Z');
    expect(next('2026-11-01T05:30:00.000Z', '01:30')).toBe('2026-11-02T06:30:00.000Z');
  });

  it.each([
    ['America/Vancouver', '2026-03-08T12:00:00.000Z', '2026-03-09T05:00:00.000Z'],
    ['America/St_Johns', '2026-07-01T12:00:00.000Z', '2026-07-02T00:30:00.000Z'],
    ['Asia/Kathmandu', '2026-07-01T12:00:00.000Z', '2026-07-01T16:15:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-04T00:00:00.000Z', '2026-10-04T11:00:00.000Z'],
    ['UTC', '2026-07-01T12:00:00.000Z', '2026-07-01T22:00:00.000Z'],
  ])('follows the clocks of %s', (timeZone, after, expected) => {
    expect(next(after, '22:00', timeZone)).toBe(expected);
  });

  it('takes the next day, once, where a zone skipped a calendar day', () => {
    expect(next('2011-12-30T08:00:00.000Z', '22:00', 'Pacific/Apia')).toBe('2011-12-31T08:00:00.000Z');
    expect(next('2011-12-31T08:00:00.000Z', '22:00', 'Pacific/Apia')).toBe('2012-01-01T08:00:00.000Z');
  });

  it.each(['24:00', '9:00', '22:60', '22:00:00', ''])('rejects "%s"', (cutOff) => {
    expect(() => nextCutOff(0, NEW_YORK, cutOff)).toThrow(RangeError);
  });

  it('rejects an unknown zone', () => {
    expect(() => nextCutOff(0, 'Mars/Olympus', '22:00')).toThrow(RangeError);
  });
});

/* An independent search: reads the local clock minute by minute. */

const MINUTE = 60_000;
const ZONES = [
  NEW_YORK,
  'America/Vancouver',
  'America/St_Johns',
  'America/Phoenix',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Europe/Dublin',
  'Africa/Casablanca',
  'Pacific/Chatham',
  'America/Asuncion',
];

/** The local time at an instant, in minutes since 1970 as if it were UTC. */
function wallClock(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return (instant) => Date.parse(`${format.format(instant).replace(' ', 'T')}:00Z`) / MINUTE;
}

/** Every cut-off of the days around: the first minute that shows it, or the time after a gap that the rule gives. */
function cutOffsAround(instant: number, timeZone: string, cutOff: string): number[] {
  const clock = wallClock(timeZone);
  const [hours = 0, minutes = 0] = cutOff.split(':').map(Number);
  const isCutOff = (shown: number): boolean => (shown - hours * 60 - minutes) % 1_440 === 0;
  const found = new Map<number, number>();
  const from = Math.floor(instant / MINUTE) * MINUTE - 1_500 * MINUTE;
  let before = clock(from - MINUTE);
  for (let now = from; now < instant + 3_100 * MINUTE; now += MINUTE) {
    const shown = clock(now);
    for (let passed = before + 1; passed <= shown; passed++) {
      if (isCutOff(passed) && !found.has(passed)) found.set(passed, now + (passed - before - 1) * MINUTE);
    }
    before = shown;
  }
  return [...found.values()].sort((a, b) => a - b);
}

describe('every cut-off', () => {
  const minuteOfDay = fc.integer({ min: 0, max: 1_439 });
  const time = minuteOfDay.map(
    (all) => `${String(Math.floor(all / 60)).padStart(2, '0')}:${String(all % 60).padStart(2, '0')}`,
  );
  /** Clocks change at night, so those hours matter most. */
  const atNight = fc
    .integer({ min: 0, max: 209 })
    .map((all) => `0${Math.floor(all / 60)}:${String(all % 60).padStart(2, '0')}`);
  const anywhere = fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2035, 0, 1) });
  /** Around the last Sundays of March and October, and the first ones of April and November. */
  const nearAChange = fc
    .tuple(
      fc.integer({ min: 2015, max: 2034 }),
      fc.constantFrom([2, 5], [2, 24], [3, 1], [8, 24], [9, 1], [9, 24], [10, 1]),
      fc.integer({ min: 0, max: 8 * 86_400_000 }),
    )
    .map(([year, [month = 0, day = 1], offset]) => Date.UTC(year, month, day) + offset);

  it('agrees with a search through the local clock, minute by minute', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.oneof(anywhere, nearAChange),
        fc.oneof(time, atNight),
        (timeZone, after, cutOff) => {
          const expected = cutOffsAround(after, timeZone, cutOff).find((instant) => instant > after);
          expect(nextCutOff(after, timeZone, cutOff)).toBe(expected);
        },
      ),
      { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 150) },
    );
  });

  it('is a day after the one before, up to an hour of clock change', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), anywhere, time, (timeZone, after, cutOff) => {
        let last = nextCutOff(after, timeZone, cutOff);
        for (let day = 0; day < 30; day++) {
          const following = nextCutOff(last, timeZone, cutOff);
          expect(Math.abs(following - last - 86_400_000)).toBeLessThanOrEqual(3_600_000);
          last = following;
        }
      }),
      { numRuns: 50 },
    );
  });
});
