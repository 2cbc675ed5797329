const INSTANT =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.(\d{1,9}))?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;
const MS_DIGITS = 3;

/** For `details`: what a time must be. */
export const INSTANT_ALLOWED = 'a time of a day that exists, such as 2026-08-03T12:00:00.000Z';

/**
 * RFC 3339, with `Z` or an offset, up to nanoseconds. `Date.parse` alone takes February 30 for March 2: a day that exists
 * comes back as it was written.
 */
export function isInstant(text: string): boolean {
  const [, day = ''] = INSTANT.exec(text) ?? [];
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/**
 * A bound of a range over times that have milliseconds, in UTC with milliseconds; undefined where it is no instant. A finer
 * bound is rounded up: it includes and excludes the same times, as a lower and as an upper bound.
 */
export function boundOf(text: string): string | undefined {
  if (!isInstant(text)) return undefined;
  const fraction = INSTANT.exec(text)?.[3] ?? '';
  const isFiner = /[1-9]/.test(fraction.slice(MS_DIGITS));
  const bound = new Date(Date.parse(text) + (isFiner ? 1 : 0));
  const year = bound.getUTCFullYear();
  // An offset can leave the years that are written with four digits.
  return year >= 0 && year <= 9999 ? bound.toISOString() : undefined;
}
