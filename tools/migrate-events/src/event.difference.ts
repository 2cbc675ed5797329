import type { RecordedEvent } from '@tillstream/event-store';
import { isDeepStrictEqual } from 'node:util';

/**
 * Returns a phrase that names the first difference of two events; undefined if all but the position is equal. The order of
 * JSON keys does not count. The phrase never has contents: they may be personal data.
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

export function named({ type, id, stream, revision }: RecordedEvent): string {
  return `${type} ${id} (${stream}, revision ${revision})`;
}
