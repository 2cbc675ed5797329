import {
  categoryContributions,
  touchedRows,
  projectPage,
  projectToEnd,
  type ProjectionName,
  PROJECTIONS,
  tableShape,
  StateCache,
  type TableRow,
} from '@tillstream/read-models';
import { seededChoice, type RandomAppend, RandomHistories } from '@tillstream/read-models/testing';
import fc from 'fast-check';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { MemoryEventStore, type EventStore } from '@tillstream/event-store';
import { GenerationFile } from '../tables/generation.file.js';
import { newFolder } from '../testing/folder.testing.js';

/** The long proof sets `PROPERTY_RUNS=200`. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 20);

describe('projecting', () => {
  let place: ReturnType<typeof newFolder>;
  let files = 0;

  beforeEach(() => {
    place = newFolder();
  });
  afterEach(() => place.remove());

  const newFile = (projection: ProjectionName): GenerationFile => {
    const path = join(place.folder, `${projection}-${++files}.db`);
    GenerationFile.create(path, tableShape(projection));
    return GenerationFile.open(path, tableShape(projection));
  };
  const rowsIn = (file: GenerationFile): TableRow[] => file.page('', 10_000);

  async function rebuilt(store: EventStore, projection: ProjectionName): Promise<TableRow[]> {
    const file = newFile(projection);
    await projectToEnd(store, file, new StateCache(store, 1_000), { limit: 1_000, afterPage: setImmediate });
    const rows = rowsIn(file);
    file.close();
    return rows;
  }

  it('gives the same rows with any pages, any size of the state cache, and any write-throughs in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1 }), async (seed) => {
        const choose = seededChoice(seed);
        const store = new MemoryEventStore();
        const open = PROJECTIONS.map((projection) => ({
          file: newFile(projection),
          states: new StateCache(store, 1 + choose(6)),
        }));
        const late: RandomAppend[] = [];
        await new RandomHistories(store, choose).run(120, async (append) => {
          if (choose(3) === 0) late.push(append);
          else if (choose(2) === 0) writeDirectly(open, append);
          if (choose(10) === 0) writeDirectly(open, late.splice(choose(late.length || 1), 1)[0]);
          const due = open[choose(open.length)];
          if (due) await projectPage(store, due.file, due.states, 1 + choose(20));
        });
        for (const { file, states } of open) {
          await projectToEnd(store, file, states, { limit: 1 + choose(50), afterPage: setImmediate });
        }
        // A write-through that comes last changes nothing.
        for (const append of late) writeDirectly(open, append);
        for (const { file } of open) {
          expect(rowsIn(file)).toEqual(await rebuilt(store, file.shape.projection));
          file.close();
        }
      }),
      { numRuns: RUNS },
    );
  }, 100_000);

  it('changes a row only with events that touch it: a later state gives the same row', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1 }), async (seed) => {
        const before = new Map<string, TableRow>();
        await new RandomHistories(new MemoryEventStore(), seededChoice(seed), { streams: 2 }).run(
          100,
          (append) => {
            for (const [projection, contribution] of categoryContributions(append.category)) {
              const touchedNow =
                contribution.touched(append.stream, append.appended, append.state) ?? new Map();
              for (const row of touchedRows(contribution, append)) {
                const key = `${projection} ${row.id}`;
                if (!touchedNow.has(row.id)) expect(row).toEqual(before.get(key));
                before.set(key, row);
              }
            }
          },
        );
      }),
      { numRuns: 2 * RUNS },
    );
  }, 100_000);

  it('writes nothing if another projector has handled the page', async () => {
    const store = new MemoryEventStore();
    await new RandomHistories(store, seededChoice(7), { categories: ['payment'] }).run(40);
    const file = newFile('transactions');
    const other = GenerationFile.open(file.file, tableShape('transactions'));
    const paused: EventStore = Object.create(store) as EventStore;
    paused.readHeaders = (options) => store.readHeaders(options);
    paused.readAll = async (options) => {
      const page = await store.readAll(options);
      await projectPage(store, other, new StateCache(store, 10), 5);
      return page;
    };
    const states = new StateCache(store, 10);
    expect(await projectPage(paused, file, states, 10)).toBe('Fenced');
    expect(file.progress().events).toBe(5);
    other.close();
    file.close();
  });

  it('does not fold rows again that were written through', async () => {
    const store = new MemoryEventStore();
    const file = newFile('transactions');
    await new RandomHistories(store, seededChoice(3), { categories: ['payment'] }).run(60, (append) =>
      writeDirectly([{ file }], append),
    );
    const states = new StateCache(store, 10);
    const folded = states.fold.bind(states);
    states.fold = (source, stream, events) => {
      // The event of a late execution does not name its original: the state is needed.
      if (events.some(({ type }) => type === 'LateApprovalFound')) return folded(source, stream, events);
      return Promise.reject(new Error('folded'));
    };
    expect(await projectToEnd(store, file, states, { limit: 10, afterPage: setImmediate })).toBe('AtEnd');
    expect(rowsIn(file)).toEqual(await rebuilt(store, 'transactions'));
    file.close();
  });

  it('stops at an event of an unknown type, even if its rows are written', async () => {
    const store = new MemoryEventStore();
    const histories = new RandomHistories(store, seededChoice(5), { streams: 1, categories: ['payment'] });
    const first = await histories.appendNext();
    const { stream, events } = first as RandomAppend;
    const unknown = {
      id: crypto.randomUUID(),
      type: 'Foreseen',
      data: events[0]?.data ?? {},
      metadata: { schemaVersion: 1 },
    };
    await store.append({ stream, expected: events.length - 1, events: [unknown] });
    const file = newFile('transactions');
    const project = () => projectPage(store, file, new StateCache(store, 10), 10);
    await expect(project()).rejects.toThrow('does not know Foreseen');
    file.write(rowsIn(file).map((row) => ({ ...row, revision: 99 })));
    await expect(project()).rejects.toThrow('does not know Foreseen');
    expect(file.progress().events).toBe(0);
    file.close();
  });
});

/** As the appending instance does, with all events of the stream. */
function writeDirectly(
  open: readonly { readonly file: GenerationFile }[],
  append: RandomAppend | undefined,
): void {
  if (!append) return;
  for (const [projection, contribution] of categoryContributions(append.category)) {
    const file = open.find((each) => each.file.shape.projection === projection)?.file;
    file?.write(touchedRows(contribution, append));
  }
}
