import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ConsumerGroup, type ConsumerLog } from '@tillstream/event-consumers';
import { MemoryLeases } from '@tillstream/event-consumers/testing';
import { MemoryEventStore } from '@tillstream/event-store';
import { recordingLog, numbering, type Numbering, type LogLine } from '@tillstream/read-models/testing';
import { DAMAGES, overwriteAll } from '../testing/file-damage.testing.js';
import { newFolder } from '../testing/folder.testing.js';
import { SqliteOrderedReadModel } from './ordered.read-model.js';

const EVENTS = 200;
const silent: ConsumerLog = {
  halted: () => undefined,
  failing: () => undefined,
  recovered: () => undefined,
  wasReset: () => undefined,
};

describe('A damaged file of an ordered projection', () => {
  const opened: SqliteOrderedReadModel<Numbering>[] = [];
  let place: ReturnType<typeof newFolder>;
  let store: MemoryEventStore;
  let logged: LogLine[];

  beforeEach(async () => {
    place = newFolder();
    store = new MemoryEventStore();
    logged = [];
    for (let stream = 0; stream < EVENTS; stream++) {
      const metadata = { schemaVersion: 1 };
      const event = { id: randomUUID(), type: 'Ordered', data: { merchant: 'a' }, metadata };
      await store.append({ stream: `order-a${stream}`, expected: 'none', events: [event] });
    }
    await groupOf(open()).catchUp();
    await closeAll();
  });
  afterEach(async () => {
    await closeAll();
    place.remove();
  });

  function open(): SqliteOrderedReadModel<Numbering> {
    const options = { directory: place.folder, store, source: '', log: recordingLog(logged) };
    const model = new SqliteOrderedReadModel(options, numbering());
    opened.push(model);
    return model;
  }
  async function closeAll(): Promise<void> {
    for (const model of opened.splice(0)) await model.close();
  }
  const groupOf = (model: SqliteOrderedReadModel<Numbering>): ConsumerGroup =>
    new ConsumerGroup({
      store,
      leases: new MemoryLeases(),
      lease: 'numbering',
      consumers: [model.consumer],
      tasks: [model.maintenanceTask(silent)],
      log: silent,
    });
  const file = (): string => {
    const name = readdirSync(place.folder).find((one) => /^numbering-\d+\.db$/.test(one));
    return join(place.folder, name ?? 'none');
  };
  const rowsOf = (model: SqliteOrderedReadModel<Numbering>): Promise<readonly unknown[]> =>
    model.read((build) => build.selectFrom('numbers').selectAll());

  async function isMadeAgain(model: SqliteOrderedReadModel<Numbering>, damaged: string): Promise<void> {
    const group = groupOf(model);
    await group.start();
    while (await model.isOutdated()) await pause(5);
    await group.stop();
    expect(await rowsOf(model)).toHaveLength(EVENTS);
    const warned = logged.flatMap(([event, fields]) => (event === 'list-damaged' ? [fields] : []));
    expect(warned).toMatchObject([
      { file: damaged, movedTo: expect.stringContaining('.damaged-') as string },
    ]);
  }

  it.each(Object.entries(DAMAGES))(
    'found at a start (%s) is set aside, logged and rebuilt',
    async (_, damage) => {
      const damaged = file();
      damage(damaged);
      const model = open();
      await expect(rowsOf(model)).rejects.toThrow('being made again');
      await isMadeAgain(model, damaged);
    },
  );

  it('gives an error and no wrong row while it is used, and is rebuilt', async () => {
    const model = open();
    const damaged = file();
    overwriteAll(damaged);
    await expect(rowsOf(model)).rejects.toBeDefined();
    await isMadeAgain(model, damaged);
  });
});
