export const MAX_ADVANCE_SECONDS = 31_536_000;
/** ISO dates and ids have room for four digits of the year. Ms since 1970. */
export const LAST_INSTANT = Date.UTC(9999, 11, 31);

/**
 * How far the service's clock is ahead of real time. It exists in sandbox mode only. It is durable, the same in every
 * process, and never decreases. When `advance` or `moveTo` has resolved, every process sees the new time in its next turn of
 * the event loop.
 */
export interface ClockOffset {
  /** Ms. Has to be cheap: one payment reads it about twenty times. */
  offsetMs(): number;
  /** Rejects with `ClockMoveError` `OutOfRange` unless 1 to 31,536,000 whole seconds, or if the year 9999 would end. */
  advance(seconds: number): Promise<void>;
  /** `time`: ms since 1970. Rejects with `ClockMoveError`: `Backwards` if it is not ahead, `OutOfRange` if it is not a time. */
  moveTo(time: number): Promise<void>;
}

export class ClockMoveError extends Error {
  override readonly name = 'ClockMoveError';
  constructor(
    readonly code: 'Backwards' | 'OutOfRange',
    message: string,
  ) {
    super(message);
  }
}

/** Converts to ms, for adapters. @throws ClockMoveError */
export function advanceInMs(seconds: number): number {
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_ADVANCE_SECONDS) {
    throw new ClockMoveError('OutOfRange', `advance by 1 to ${MAX_ADVANCE_SECONDS} whole seconds`);
  }
  return seconds * 1000;
}

/** Rounds up to whole ms since 1970, for adapters. @throws ClockMoveError */
export function checkTime(time: number): number {
  if (!Number.isFinite(time)) throw new ClockMoveError('OutOfRange', 'not a time');
  if (time > LAST_INSTANT) throw outOfRangeError();
  return Math.ceil(time);
}

export function outOfRangeError(): ClockMoveError {
  return new ClockMoveError('OutOfRange', 'the clock ends with the year 9999');
}

export function backwardsError(): ClockMoveError {
  return new ClockMoveError('Backwards', 'the clock only goes forward');
}
