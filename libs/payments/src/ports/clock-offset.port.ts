export const MAX_ADVANCE_SECONDS = 31_536_000;
/** ISO dates have four digits for the year, and ids room for no more. Ms since 1970. */
export const LAST_INSTANT = Date.UTC(9999, 11, 31);

/**
 * How far the service's clock is ahead of real time: durable, the same in every process, and it only grows. It is there in
 * sandbox mode alone. Whoever was told that the clock moved finds it moved in the next turn of the event loop, in whichever
 * process.
 */
export interface ClockOffset {
  /** Ms. Cheap: one payment asks twenty times. */
  offsetMs(): number;
  /** Rejects with `ClockMoveError` `OutOfRange` unless 1 to 31,536,000 whole seconds, and where time would end. */
  advance(seconds: number): Promise<void>;
  /** Moves the clock to a time, ms since 1970. Rejects with `ClockMoveError` `Backwards` where that is not ahead, `OutOfRange` where it is no time. */
  moveTo(time: number): Promise<void>;
}

/** `Backwards`: the clock only goes forward. `OutOfRange`: not 1 to 31,536,000 s, or no date at all. */
export class ClockMoveError extends Error {
  override readonly name = 'ClockMoveError';
  constructor(
    readonly code: 'Backwards' | 'OutOfRange',
    message: string,
  ) {
    super(message);
  }
}

/** For adapters. Gives ms. @throws ClockMoveError */
export function advanceInMs(seconds: number): number {
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_ADVANCE_SECONDS) {
    throw new ClockMoveError('OutOfRange', `advance by 1 to ${MAX_ADVANCE_SECONDS} whole seconds`);
  }
  return seconds * 1000;
}

/** For adapters. Gives whole ms since 1970. @throws ClockMoveError */
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
