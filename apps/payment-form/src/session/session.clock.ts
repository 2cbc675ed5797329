import type { FormSession } from '@tillstream/contracts';

/** A screen reader announces the time when so many seconds are left. */
export const ANNOUNCED_SECONDS: readonly number[] = [300, 60];
/** From here on the time is shown with emphasis. */
export const URGENT_SECONDS = 120;

/** @param elapsedMs since the session was read. The customer's clock is not used: it may be wrong. */
export function secondsLeft(
  { expiresAt, now }: Pick<FormSession, 'expiresAt' | 'now'>,
  elapsedMs: number,
): number {
  const leftMs = Date.parse(expiresAt) - Date.parse(now) - elapsedMs;
  return Math.max(0, Math.ceil(leftMs / 1000));
}

/** `9:05` */
export function minutesText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
