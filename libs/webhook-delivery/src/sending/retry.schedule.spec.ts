import { ATTEMPTS_MAX, nextAttemptAt, RETRY_STEPS_MS, retryAfterMs } from './retry.schedule.js';

const ENDED_AT = Date.parse('2030-01-01T00:00:00Z');
const REAL_ENDED_AT = Date.parse('2026-03-01T00:00:00Z');
const MIDDLE = 0.5;
const LATEST = 1 - Number.EPSILON;

const pause = (attempts: number, random = MIDDLE, retryAfter?: string): number | undefined => {
  const failed = { attempts, endedAt: ENDED_AT, realEndedAt: REAL_ENDED_AT };
  const at = nextAttemptAt({ ...failed, ...(retryAfter !== undefined && { retryAfter }) }, random);
  return at === undefined ? undefined : at - ENDED_AT;
};

describe('The next attempt of a delivery', () => {
  it('follows after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, from the end of the attempt before; the eighth is the last', () => {
    const seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
    expect(seconds.map((_, index) => pause(index + 1))).toEqual(seconds.map((step) => step * 1_000));
    expect(pause(ATTEMPTS_MAX)).toBeUndefined();
    expect(ATTEMPTS_MAX).toBe(8);
  });

  it('is at most 20 % earlier or later', () => {
    for (const [index, step] of RETRY_STEPS_MS.entries()) {
      expect(pause(index + 1, 0)).toBe(step * 0.8);
      expect(pause(index + 1, LATEST)).toBe(step * 1.2);
    }
  });

  it.each([
    ['0', 5_000, 6_000],
    ['3', 5_000, 6_000],
    ['7', 7_000, 8_000],
    ['10', 10_000, 10_000],
    ['86400', 10_000, 10_000],
    ['Sun, 01 Mar 2026 00:00:08 GMT', 8_000, 9_000],
    ['Sun, 01 Mar 2026 01:00:00 GMT', 10_000, 10_000],
    ['Sat, 28 Feb 2026 00:00:00 GMT', 5_000, 6_000],
  ])('honours "Retry-After: %s" within one to two times the step', (header, earliest, latest) => {
    expect(pause(1, 0, header)).toBe(earliest);
    expect(pause(1, LATEST, header)).toBe(latest);
  });

  it.each(['soon', '-5', '1.5', '2027-01-01', '99999999999', '', 'Sun, 99 Foo 2026'])(
    'ignores "Retry-After: %s", which is neither seconds nor a date',
    (header) => {
      expect(retryAfterMs(header, REAL_ENDED_AT)).toBeUndefined();
      expect(pause(1, 0, header)).toBe(4_000);
    },
  );
});
