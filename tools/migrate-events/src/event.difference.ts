import type { RecordedEvent } from '@tillstream/event-store';
import { isDeepStrictEqual } from 'node:util';

/**
 * In which way the target's event is not the source's, as a part of a sentence; undefined where all but the position is
 * equal. JSON values are compared, in whichever order a store gives their keys: canonical texts would be equal just
 * then, and take twice as long. Contents are never named: they may be about persons.
 */
export function differenceOf(source: RecordedEvent, target: RecordedEvent): string | undefined {
  if (source.stream !== target.stream || source.revision !== target.revision || source.id !== target.id) {
    return `the source has ${named(source)}, the target ${named(target)}`;
  }
  if (source.type !== target.type) return `${named(source)} is of type ${target.type} in the target`;
  if (!isDeepStrictEqual(source.data, target.data)) return `${named(source)} has other data`;
  if (!isDeepStrictEqual(source.metadata, target.metadata)) return `${named(source)} has other metadata`;
  return undefined;
}

/** For people: where it lies and which it is. */
export function named({ type, id, stream, revision }: RecordedEvent): string {
  return `${type} ${id} (${stream}, revision ${revision})`;
}
