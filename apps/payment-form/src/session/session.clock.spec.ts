import { minutesText, secondsLeft } from './session.clock.js';
import { pauseMs } from './backoff.js';

const session = { now: '2026-11-25T10:00:00.000Z', expiresAt: '2026-11-25T10:30:00.000Z' };

describe('The time that is left', () => {
  it('counts from the time of the service', () => {
    expect(secondsLeft(session, 0)).toBe(1_800);
    expect(secondsLeft(session, 60_500)).toBe(1_740);
  });

  it('ends at zero', () => {
    expect(secondsLeft(session, 1_800_000)).toBe(0);
    expect(secondsLeft(session, 9_999_999)).toBe(0);
  });

  it('is shown in minutes and seconds', () => {
    expect([1_800, 545, 60, 9, 0].map(minutesText)).toEqual(['30:00', '9:05', '1:00', '0:09', '0:00']);
  });

  it('between two readings of the session grows to 15 seconds', () => {
    expect([0, 1, 2, 3, 4, 20].map(pauseMs)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
  });
});
