import { CHAIN_START, eventHash, findUnreadableEvent, type RecordedEvent } from '@tillstream/event-store';
import { NEVER_CHANGED_TRIGGER } from '../schema.js';
import type { SqliteEventStore } from '../sqlite-event-store.js';

export type Restoration =
  /** The event has the content of the copy. */
  | { readonly kind: 'Restored' }
  /** It had it already. Nothing was written. */
  | { readonly kind: 'Intact' }
  /** The copy's event is not the one that was written here. Nothing was written. */
  | { readonly kind: 'Refused'; readonly because: string };

interface StoredText {
  readonly position: number;
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

/**
 * Puts type, data and metadata of a damaged event back as a copy of the same file has them. That changes no event: only a
 * content is accepted whose hash follows from the event before it, and from which the hash of the event after it follows.
 * Rejects as the stores do.
 */
export async function restoreEvent(
  live: SqliteEventStore,
  copy: SqliteEventStore,
  place: { readonly stream: string; readonly revision: number },
): Promise<Restoration> {
  const [damaged, original] = [storedText(live, place), storedText(copy, place)];
  if (!damaged) return refused('the store has no event there: only content can be restored');
  if (!original) return refused('the copy has no event there: it is older');
  if (damaged.position !== original.position || damaged.id !== original.id)
    return refused('the copy has another event there: it is of another history');
  const misfit = await misfitOf(live, copy, place);
  if (misfit !== undefined) return refused(misfit);
  const { type, data, metadata } = original;
  if (damaged.type === type && damaged.data === data && damaged.metadata === metadata)
    return { kind: 'Intact' };
  const { stream, revision } = place;
  const result = await live.execute([
    { kind: 'run', sql: 'DROP TRIGGER IF EXISTS events_are_never_changed' },
    {
      kind: 'run',
      sql: 'UPDATE events SET type = ?, data = ?, metadata = ? WHERE stream = ? AND revision = ?',
      params: [type, data, metadata, stream, revision],
      mustChange: true,
    },
    { kind: 'run', sql: NEVER_CHANGED_TRIGGER },
  ]);
  if (result.kind !== 'Done') throw new Error(`the event was not written: ${result.kind}`);
  return { kind: 'Restored' };
}

function storedText(
  store: SqliteEventStore,
  { stream, revision }: { readonly stream: string; readonly revision: number },
): StoredText | undefined {
  const sql =
    'SELECT position, hex(id) AS id, type, data, metadata FROM events WHERE stream = ? AND revision = ?';
  return store.query<StoredText>(sql, [stream, revision])[0];
}

/** Why the copy's event does not stand between its neighbours here; undefined if it does. */
async function misfitOf(
  live: SqliteEventStore,
  copy: SqliteEventStore,
  { stream, revision }: { readonly stream: string; readonly revision: number },
): Promise<string | undefined> {
  const event = await readable(copy, stream, revision);
  if (!event) return 'the event is damaged in the copy too';
  const before = revision === 0 ? undefined : await readable(live, stream, revision - 1);
  if (revision > 0 && !before) return `revision ${revision - 1} is damaged too: restore it first`;
  const hash = event.metadata['hash'];
  if (hash !== eventHash(before === undefined ? CHAIN_START : hashOf(before), event))
    return 'the hash of its event in the copy does not follow from the event before it';
  const after = await readable(live, stream, revision + 1);
  if (after && after.metadata['hash'] !== eventHash(hashOf(event), after))
    return 'the hash of the event after it does not follow from its event in the copy';
  return undefined;
}

const hashOf = ({ metadata: { hash } }: RecordedEvent): string => (typeof hash === 'string' ? hash : '');

/** Undefined if there is no event of this revision, or if it can't be read. */
async function readable(
  store: SqliteEventStore,
  stream: string,
  revision: number,
): Promise<RecordedEvent | undefined> {
  try {
    const [event] = (await store.readStream(stream, { from: revision, limit: 1 })).events;
    return event?.revision === revision ? event : undefined;
  } catch (error) {
    if (findUnreadableEvent(error)) return undefined;
    throw error;
  }
}

const refused = (because: string): Restoration => ({ kind: 'Refused', because });
