import type { BrokenLink, RecordedEvent } from '@tillstream/event-store';
import { formatCount } from '@tillstream/platform/command-line';
import { isDeepStrictEqual } from 'node:util';
import type { LogCursor } from './log.cursor.js';

/** Why a comparison of two logs ended. Both cursors stand after the last equal event. */
export type Comparison =
  | { readonly kind: 'Equal' }
  /** The target is a prefix of the source. */
  | { readonly kind: 'TargetEnds'; readonly next: RecordedEvent }
  | { readonly kind: 'Differs'; readonly difference: string }
  | { readonly kind: 'Broken'; readonly link: BrokenLink };

/**
 * Compares both logs event by event to the first difference.
 *
 * @param check returns the broken link of an event that is equal in both logs
 */
export async function compareLogs(
  source: LogCursor,
  target: LogCursor,
  check: (event: RecordedEvent) => BrokenLink | undefined,
  onEqual: (events: number) => void,
): Promise<Comparison> {
  for (;;) {
    const [ours, theirs] = await Promise.all([source.ahead(), target.ahead()]);
    const [next, extra] = [ours[0], theirs[0]];
    if (extra === undefined) return next === undefined ? { kind: 'Equal' } : { kind: 'TargetEnds', next };
    if (next === undefined) {
      const difference = `after ${formatCount(source.passed)} events the source ends, and the target goes on with ${named(extra)}`;
      return { kind: 'Differs', difference };
    }
    const stop = compare(ours, theirs, check);
    source.pass(stop.same);
    target.pass(stop.same);
    onEqual(stop.same);
    if (stop.broken !== undefined) return { kind: 'Broken', link: stop.broken };
    if (stop.difference !== undefined) {
      return { kind: 'Differs', difference: `event ${formatCount(source.passed + 1)}: ${stop.difference}` };
    }
  }
}

interface Stop {
  readonly same: number;
  readonly difference?: string;
  readonly broken?: BrokenLink;
}

function compare(
  ours: readonly RecordedEvent[],
  theirs: readonly RecordedEvent[],
  check: (event: RecordedEvent) => BrokenLink | undefined,
): Stop {
  for (const [same, event] of ours.entries()) {
    const other = theirs[same];
    if (other === undefined) return { same };
    const difference = differenceOf(event, other);
    if (difference !== undefined) return { same, difference };
    const broken = check(event);
    if (broken !== undefined) return { same, broken };
  }
  return { same: ours.length };
}

/**
 * Returns a phrase that names the first difference of two events; undefined if all but the position is equal. The order of
 * JSON keys does not count. The phrase never has contents: they may be personal data.
 */
function differenceOf(source: RecordedEvent, target: RecordedEvent): string | undefined {
  if (source.stream !== target.stream || source.revision !== target.revision || source.id !== target.id) {
    return `the source has ${named(source)}, the target ${named(target)}`;
  }
  if (source.type !== target.type) return `${named(source)} is of type ${target.type} in the target`;
  if (!isDeepStrictEqual(source.data, target.data)) return `${named(source)} has other data`;
  if (!isDeepStrictEqual(source.metadata, target.metadata)) return `${named(source)} has other metadata`;
  return undefined;
}

export function named({ type, id, stream, revision }: RecordedEvent): string {
  return `${type} ${id} (${stream}, revision ${revision})`;
}
