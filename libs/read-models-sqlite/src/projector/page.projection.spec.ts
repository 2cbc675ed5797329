import {
  categoryContributions,
  touchedRows,
  type FlatRow,
  type ProjectionName,
  PROJECTIONS,
  tableShape,
  StateCache,
} from '@tillstream/read-models';
import { seededChoice, type RandomAppend, RandomHistories } from '@tillstream/read-models/testing';
import fc from 'fast-check';
import { join } from 'node:path';
import { MemoryEventStore, type EventStore } from '@tillstream/event-store';
import { GenerationFile } from '../tables/generation.file.js';
import { newFolder } from '../testing/folder.testing.js';
import { projectPage, projectToEnd } from './page.projection.js';

const now = (): number => 0;
/** More for the long proof: `PROPERTY_RUNS=200`. */
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 20);

describe('projecting', () => {
  let place: ReturnType<typeof newFolder>;
  let files = 0;

  beforeEach(() => {
    place = newFolder();
  });
  afterEach(() => place.remove());

  const newFile = (projection: ProjectionName): GenerationFile =>
    GenerationFile.create(join(place.folder, `${projection}-${++files}.db`), tableShape(projection), {
      bulk: false,
    });
  const rowsIn = (file: GenerationFile): FlatRow[] => file.page('', 10_000);

  async function rebuilt(store: EventStore, projection: ProjectionName): Promise<FlatRow[]> {
    const file = newFile(projection);
    await projectToEnd(store, file, new StateCache(store, 1_000), { limit: 1_000, now });
    const rows = rowsIn(file);
    file.close();
    return rows;
  }

  it('gives the same rows whatever the pages, the memory of states, and the direct writes in between, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1 }), async (seed) => {
        const choose = seededChoice(seed);
        const store = new MemoryEventStore();
        const open = PROJECTIONS.map((projection) => ({
          file: newFile(projection),
          states: new StateCache(store, 1 + choose(6)),
        }));
        const late: RandomAppend[] = [];
        await new RandomHistories(store, choose).run(120, async (one) => {
          if (choose(3) === 0) late.push(one);
          else if (choose(2) === 0) writeDirectly(open, one);
          if (choose(10) === 0) writeDirectly(open, late.splice(choose(late.length || 1), 1)[0]);
          const due = open[choose(open.length)];
          if (due) await projectPage(store, due.file, due.states, { limit: 1 + choose(20), now });
        });
        for (const { file, states } of open) {
          await projectToEnd(store, file, states, { limit: 1 + choose(50), now });
        }
        // What comes after all changes nothing any more.
        for (const one of late) writeDirectly(open, one);
        for (const { file } of open) {
          expect(rowsIn(file)).toEqual(await rebuilt(store, file.shape.projection));
          file.close();
        }
      }),
      { numRuns: RUNS },
    );
  }, 100_000);

  it('a row changes only with events that touch it: a later state gives the same row', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1 }), async (seed) => {
        const before = new Map<string, FlatRow>();
        await new RandomHistories(new MemoryEventStore(), seededChoice(seed), { streams: 2 }).run(
          100,
          (one) => {
            for (const [projection, contribution] of categoryContributions(one.category)) {
              const touchedNow = contribution.touched(one.stream, one.appended, one.state) ?? new Map();
              const all =
                contribution.touched(one.stream, one.events, one.state) ?? new Map<string, number>();
              for (const row of touchedRows({ contribution }, one.state, all)) {
                const key = `${projection} ${String(row[0])}`;
                if (!touchedNow.has(String(row[0]))) expect(row).toEqual(before.get(key));
                before.set(key, row);
              }
            }
          },
        );
      }),
      { numRuns: 2 * RUNS },
    );
  }, 100_000);

  it('a page that another projector handled meanwhile changes nothing', async () => {
    const store = new MemoryEventStore();
    await new RandomHistories(store, seededChoice(7), { categories: ['payment'] }).run(40);
    const file = newFile('transactions');
    const other = GenerationFile.open(file.file, tableShape('transactions'));
    const paused: EventStore = Object.create(store) as EventStore;
    paused.readHeaders = (options) => store.readHeaders(options);
    paused.readAll = async (options) => {
      const page = await store.readAll(options);
      await projectPage(store, other, new StateCache(store, 10), { limit: 5, now });
      return page;
    };
    const states = new StateCache(store, 10);
    expect(await projectPage(paused, file, states, { limit: 10, now })).toEqual({ kind: 'Fenced' });
    expect(file.progress().events).toBe(5);
    other.close();
    file.close();
  });

  it('rows that were written through are not folded again', async () => {
    const store = new MemoryEventStore();
    const file = newFile('transactions');
    await new RandomHistories(store, seededChoice(3), { categories: ['payment'] }).run(60, (one) =>
      writeDirectly([{ file }], one),
    );
    const states = new StateCache(store, 10);
    const folded = states.fold.bind(states);
    states.fold = (source, stream, events) => {
      // Of what a late approval is the void or refund, only the state tells.
      if (events.some(({ type }) => type === 'LateApprovalFound')) return folded(source, stream, events);
      return Promise.reject(new Error('folded'));
    };
    expect(await projectToEnd(store, file, states, { limit: 10, now })).toBe('AtEnd');
    expect(rowsIn(file)).toEqual(await rebuilt(store, 'transactions'));
    file.close();
  });

  it('an event of a type that this version does not know stops it, also where its rows are there', async () => {
    const store = new MemoryEventStore();
    const lives = new RandomHistories(store, seededChoice(5), { streams: 1, categories: ['payment'] });
    const first = await lives.appendNext();
    const { stream, events } = first as RandomAppend;
    const unknown = {
      id: crypto.randomUUID(),
      type: 'Foreseen',
      data: events[0]?.data ?? {},
      metadata: { schemaVersion: 1 },
    };
    await store.append({ stream, expected: events.length - 1, events: [unknown] });
    const file = newFile('transactions');
    const project = () => projectPage(store, file, new StateCache(store, 10), { limit: 10, now });
    await expect(project()).rejects.toThrow('does not know Foreseen');
    file.transaction(() => file.write(rowsIn(file).map((row) => [row[0] ?? '', 99, ...row.slice(2)])));
    await expect(project()).rejects.toThrow('does not know Foreseen');
    expect(file.progress().events).toBe(0);
    file.close();
  });
});

/** As the instance does that appended: with the whole history of the stream. */
function writeDirectly(
  open: readonly { readonly file: GenerationFile }[],
  one: RandomAppend | undefined,
): void {
  if (!one) return;
  const { events } = one;
  for (const [projection, contribution] of categoryContributions(one.category)) {
    const file = open.find((each) => each.file.shape.projection === projection)?.file;
    const touched = contribution.touched(one.stream, events, one.state) ?? new Map<string, number>();
    file?.transaction(() => file.write(touchedRows({ contribution }, one.state, touched)));
  }
}
