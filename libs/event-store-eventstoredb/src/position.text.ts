import { EventStoreError, type Position } from '@tillstream/event-store';

/** A place in the server's log: of an event (both numbers the same) or of a checkpoint between events (prepare 0). */
export interface Place {
  readonly commit: bigint;
  readonly prepare: bigint;
}

const shape = /^(0|[1-9][0-9]{0,19})\/(0|[1-9][0-9]{0,19})$/;

/** `<commit>/<prepare>`, in decimal. */
export function positionOf({ commit, prepare }: Place): Position {
  const text = commit.toString();
  return `${text}/${commit === prepare ? text : prepare.toString()}` as Position;
}

/** Throws `Invalid` for another store's position. */
export function placeOf(position: Position): Place {
  const [, commit, prepare] = shape.exec(position) ?? [];
  if (commit === undefined || prepare === undefined) {
    throw new EventStoreError('Invalid', `'${position}' is no position of EventStoreDB`);
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}

export function comparePlaces(a: Place, b: Place): -1 | 0 | 1 {
  if (a.commit !== b.commit) return a.commit < b.commit ? -1 : 1;
  if (a.prepare !== b.prepare) return a.prepare < b.prepare ? -1 : 1;
  return 0;
}

/** Undefined is before the first. */
export function isAfter(place: Place, other: Place | undefined): boolean {
  return other === undefined || comparePlaces(place, other) > 0;
}
