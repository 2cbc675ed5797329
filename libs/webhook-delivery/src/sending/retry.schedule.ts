const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Pauses from the end of each attempt to the next one, by the service's clock. The first attempt is made at once. */
export const RETRY_STEPS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
];
export const ATTEMPTS_MAX = RETRY_STEPS_MS.length + 1;
/** A pause is shortened or extended by at most this part of it, so that failed deliveries do not all return at once. */
const JITTER = 0.2;
/** `Retry-After` extends a pause up to this multiple. */
const EXTENSION_MAX = 2;

export interface FailedAttempt {
  /** Number of attempts that were made, this one included. */
  readonly attempts: number;
  /** End of the attempt, ms of the service's clock. */
  readonly endedAt: number;
  /** End of the attempt in real time, to which a date in `Retry-After` is compared. */
  readonly realEndedAt: number;
  /** The header of the answer. */
  readonly retryAfter?: string;
}

/**
 * When the next attempt is due, ms of the service's clock; undefined after the last one.
 * @param random in [0, 1)
 */
export function nextAttemptAt(failed: FailedAttempt, random: number): number | undefined {
  const step = RETRY_STEPS_MS[failed.attempts - 1];
  if (step === undefined) return undefined;
  const asked = retryAfterMs(failed.retryAfter, failed.realEndedAt);
  const pause =
    asked === undefined ? step * (1 - JITTER + 2 * JITTER * random) : extended(step, asked, random);
  return failed.endedAt + Math.round(pause);
}

/** One to two times the step. It is spread upwards only: the endpoint asked not to be called earlier. */
function extended(step: number, asked: number, random: number): number {
  return Math.min(Math.max(step, asked) + step * JITTER * random, step * EXTENSION_MAX);
}

/**
 * The pause that a `Retry-After` asks for, in ms; undefined if it is left out or can't be read.
 * @param realNow ms of real time: the endpoint's dates are of it, not of the service's clock
 */
export function retryAfterMs(header: string | undefined, realNow: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text) * SECOND_MS;
  // Only the forms of HTTP dates, which begin with a day's name: `Date.parse` takes other texts too.
  const date = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - realNow);
}
