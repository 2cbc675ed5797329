import { EventStoreError, type Position } from '@tillstream/event-store';

/** A position in the server's log: of an event (both numbers are equal) or of a checkpoint between events (prepare is 0). */
export interface LogPosition {
  readonly commit: bigint;
  readonly prepare: bigint;
}

const POSITION_FORM = /^(0|[1-9][0-9]{0,19})\/(0|[1-9][0-9]{0,19})$/;

/** `<commit>/<prepare>`, in decimal. */
export function formatPosition({ commit, prepare }: LogPosition): Position {
  const text = commit.toString();
  return `${text}/${commit === prepare ? text : prepare.toString()}` as Position;
}

/** Throws `Invalid` for a position of another store. */
export function parsePosition(position: Position): LogPosition {
  const [, commit, prepare] = POSITION_FORM.exec(position) ?? [];
  if (commit === undefined || prepare === undefined) {
    throw new EventStoreError('Invalid', `'${position}' is no position of EventStoreDB`);
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}

export function compareLogPositions(a: LogPosition, b: LogPosition): -1 | 0 | 1 {
  if (a.commit !== b.commit) return a.commit < b.commit ? -1 : 1;
  if (a.prepare !== b.prepare) return a.prepare < b.prepare ? -1 : 1;
  return 0;
}

/** Undefined stands before the first event. */
export function isAfter(place: LogPosition, other: LogPosition | undefined): boolean {
  return other === undefined || compareLogPositions(place, other) > 0;
}
