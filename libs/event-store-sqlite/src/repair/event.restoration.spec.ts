import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { chainEvents, ChainVerifier, newEventId, type RecordedEvent } from '@tillstream/event-store';
import { openSqliteEventStore } from '../open-sqlite-event-store.js';
import { newFolder } from '../sqlite-stores.fixture.js';
import type { SqliteEventStore } from '../sqlite-event-store.js';
import { restoreEvent } from './event.restoration.js';

const STREAM = 'payment-1';
const EVENTS = 5;
const DAMAGED = { stream: STREAM, revision: 2 };

describe('A damaged event', () => {
  let place: ReturnType<typeof newFolder>;
  let live: SqliteEventStore;
  let copy: SqliteEventStore;

  async function append(store: SqliteEventStore, amount: number): Promise<void> {
    const [last] = (await store.readStream(STREAM, { direction: 'backwards', limit: 1 })).events;
    const events = chainEvents(STREAM, last, [
      { id: newEventId(), type: 'Captured', data: { amount }, metadata: { schemaVersion: 1 } },
    ]);
    await store.append({ stream: STREAM, expected: last?.revision ?? 'none', events });
  }
  /** As a person can who may write to the file. */
  async function change(store: SqliteEventStore, set: string): Promise<void> {
    await store.execute([{ kind: 'run', sql: 'DROP TRIGGER IF EXISTS events_are_never_changed' }]);
    await store.execute([
      { kind: 'run', sql: `UPDATE events SET ${set} WHERE revision = ${DAMAGED.revision}` },
    ]);
  }
  async function allEvents(): Promise<readonly RecordedEvent[]> {
    return (await live.readStream(STREAM)).events;
  }

  beforeEach(async () => {
    place = newFolder();
    live = await openSqliteEventStore({ file: place.file });
    for (let amount = 1; amount <= EVENTS; amount++) await append(live, amount);
    await live.close();
    const backup = join(place.folder, 'backup.db');
    copyFileSync(place.file, backup);
    live = await openSqliteEventStore({ file: place.file });
    copy = await openSqliteEventStore({ file: backup });
    await append(live, EVENTS + 1);
  });
  afterEach(async () => {
    await live.close();
    await copy.close();
    place.remove();
  });

  it.each(["data = '!' || data", `data = '{"amount":9}'`, "type = 'Voided'", "metadata = '{}'"])(
    'gets the content back that the copy has (%s), and no other event changes',
    async (damage) => {
      const before = await allEvents();
      await change(live, damage);
      expect(await restoreEvent(live, copy, DAMAGED)).toEqual({ kind: 'Restored' });
      expect(await allEvents()).toEqual(before);
      const verifier = new ChainVerifier();
      expect(before.map((event) => verifier.check(event))).toEqual(before.map(() => undefined));
      expect(await restoreEvent(live, copy, DAMAGED)).toEqual({ kind: 'Intact' });
    },
  );

  it('can be changed by no statement after it was restored', async () => {
    await change(live, "data = '!' || data");
    await restoreEvent(live, copy, DAMAGED);
    const update = { kind: 'run', sql: "UPDATE events SET type = 'Voided'" } as const;
    await expect(live.execute([update])).rejects.toThrow('events are never changed');
  });

  it('gets no content that was not written here', async () => {
    await change(live, "data = '!' || data");
    const forged: readonly [string, RegExp][] = [
      [`data = '{"amount":900}'`, /does not follow from the event before it/],
      [`metadata = '{"hash":"00"}'`, /does not follow from the event before it/],
      ["data = '['", /damaged in the copy too/],
      ['id = zeroblob(16)', /another history/],
    ];
    for (const [set, because] of forged) {
      await change(copy, set);
      expect(await restoreEvent(live, copy, DAMAGED)).toEqual({
        kind: 'Refused',
        because: expect.stringMatching(because) as string,
      });
    }
    await expect(allEvents()).rejects.toThrow('its data is no JSON object');
  });

  it('is not restored from a copy that does not have it, nor before an earlier damaged one', async () => {
    const last = { stream: STREAM, revision: EVENTS };
    expect(await restoreEvent(live, copy, last)).toEqual({
      kind: 'Refused',
      because: 'the copy has no event there: it is older',
    });
    await change(live, "data = '!' || data");
    expect(await restoreEvent(live, copy, { stream: STREAM, revision: 3 })).toEqual({
      kind: 'Refused',
      because: 'revision 2 is damaged too: restore it first',
    });
  });
});
