import { ConsumerGroup } from '@tillstream/event-consumers';
import { MemoryLeases } from '@tillstream/event-consumers/testing';
import { MemoryEventStore, type ReadAllOptions } from '@tillstream/event-store';
import { ListConsumer, tableShape } from '@tillstream/read-models';
import { seededChoice, RandomHistories, recordingLog, type LogLine } from '@tillstream/read-models/testing';
import { ControlDatabase } from '../generations/control.database.js';
import { OpenGenerations } from '../generations/open.generations.js';
import { GenerationFile } from '../tables/generation.file.js';
import { newFolder } from '../testing/folder.testing.js';
import { SqliteList } from './sqlite.list.js';

const shape = tableShape('transactions');

describe('A list as a consumer', () => {
  let place: ReturnType<typeof newFolder>;
  let store: MemoryEventStore;
  let control: ControlDatabase;
  let open: OpenGenerations;
  let list: ListConsumer;
  const logged: LogLine[] = [];

  beforeEach(() => {
    logged.length = 0;
    place = newFolder();
    store = new MemoryEventStore();
    control = new ControlDatabase(place.folder);
    control.ensureLive(shape, (file) => GenerationFile.create(file, shape));
    open = new OpenGenerations(control);
    list = new ListConsumer('transactions', {
      store,
      list: new SqliteList('transactions', control, open),
      log: recordingLog(logged),
      pageSize: 10,
    });
  });
  afterEach(() => {
    open.close();
    control.close();
    place.remove();
  });

  const happen = (steps: number, category: 'payment' | 'merchant', seed = 5) =>
    new RandomHistories(store, seededChoice(seed), { from: seed * 100, categories: [category] }).run(steps);
  const catchUp = () =>
    new ConsumerGroup({
      store,
      leases: new MemoryLeases(),
      lease: 'lists',
      consumers: [list],
      log: {
        halted: (_name, reason) => void list.recordHalt(reason),
        failing: () => undefined,
        recovered: () => undefined,
        wasReset: () => undefined,
      },
    }).catchUp();
  const live = () => open.fileOf(control.live('transactions') as never);

  it('moves its checkpoint over events of other categories', async () => {
    await happen(20, 'payment');
    await happen(50, 'merchant');
    await catchUp();
    const last = (await store.readAll({ categories: ['payment'] })).events.at(-1);
    expect((await list.checkpoint())?.position).toBe(last?.position);
    await list.advancePastOtherCategories();
    expect(await list.checkpoint()).toMatchObject({
      position: await store.head(),
      witness: { position: last?.position },
    });
    const { events } = live().progress();
    await happen(5, 'payment', 6);
    await list.advancePastOtherCategories();
    expect(live().progress().events).toBe(events);
    await catchUp();
    expect(live().progress().events).toBeGreaterThan(events);
  });

  it('handles a page of which the store returns only the beginning', async () => {
    await happen(40, 'payment');
    const { readAll } = store;
    store.readAll = (options?: ReadAllOptions) => readAll.call(store, { ...options, limit: 3 });
    await catchUp();
    store.readAll = readAll;
    const rows = live().page('', 1_000);
    expect(live().progress().events).toBe((await store.readAll({ categories: ['payment'] })).events.length);
    expect(rows.length).toBeGreaterThan(5);
  });

  it('is paused if a newer program made the list', async () => {
    await happen(5, 'payment');
    const generation = control.startBuilding({ ...shape, rowsVersion: 99 }, 'another builder');
    GenerationFile.create(control.fileOf(generation), shape);
    control.announce(generation);
    control.swap(generation);
    expect(await catchUp()).toBe(false);
    expect(live().progress().events).toBe(0);
  });

  it('records its halt for all processes until it resumes', async () => {
    await list.recordHalt('no such event');
    await list.recordHalt('no such event');
    expect(control.live('transactions')?.halted).toBe('no such event');
    await happen(5, 'payment');
    await catchUp();
    expect(control.live('transactions')?.halted).toBeUndefined();
    expect(logged.map(([event]) => event)).toEqual(['projection-halted', 'projection-goes-on']);
  });
});
