import { EventStoreError } from './event-store.errors.js';
import type { Position } from './event.js';

/** For adapters whose positions are whole numbers from 1: written in decimal. */
export function positionFromNumber(place: number): Position {
  return String(place) as Position;
}

/** The number behind a position of `positionOf`; undefined is 0, before the first. Throws `Invalid` for another store's. */
export function positionNumber(position: Position | undefined): number {
  if (position === undefined) return 0;
  if (!/^[1-9][0-9]{0,15}$/.test(position)) {
    throw new EventStoreError('Invalid', `'${position}' is no position of this store`);
  }
  return Number(position);
}

export function compareNumberedPositions(a: Position, b: Position): -1 | 0 | 1 {
  const difference = positionNumber(a) - positionNumber(b);
  return difference < 0 ? -1 : difference > 0 ? 1 : 0;
}
