import { EventStoreError } from './event-store.js';
import type { Position } from './event.js';

/** For adapters whose positions are whole numbers from 1. A position is the number in decimal. */
export function positionFromNumber(number: number): Position {
  return String(number) as Position;
}

/** The number of a position; undefined stands before the first event and is 0. Throws `Invalid` for a position of another store. */
export function positionNumber(position: Position | undefined): number {
  if (position === undefined) return 0;
  if (!/^[1-9][0-9]{0,15}$/.test(position)) {
    throw new EventStoreError('Invalid', `'${position}' is no position of this store`);
  }
  return Number(position);
}

export function compareNumberedPositions(a: Position, b: Position): -1 | 0 | 1 {
  return Math.sign(positionNumber(a) - positionNumber(b)) as -1 | 0 | 1;
}
