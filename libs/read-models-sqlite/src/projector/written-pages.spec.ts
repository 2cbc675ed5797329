import {
  categoryContributions,
  projectToEnd,
  touchedRows,
  tableShape,
  StateCache,
} from '@tillstream/read-models';
import { seededChoice, type RandomAppend, RandomHistories } from '@tillstream/read-models/testing';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { MemoryEventStore, type EventStore, type ReadAllOptions } from '@tillstream/event-store';
import { GenerationFile } from '../tables/generation.file.js';
import { newFolder } from '../testing/folder.testing.js';

/** A store that counts the reads of whole events. */
class HeadersStore {
  read = 0;
  constructor(private readonly memory: MemoryEventStore) {}
  readAll(options: ReadAllOptions) {
    this.read++;
    return this.memory.readAll(options);
  }
  async readHeaders(options: ReadAllOptions) {
    const { events, ...place } = await this.memory.readAll(options);
    return { headers: events, ...place };
  }
  readStream(...args: Parameters<EventStore['readStream']>) {
    return this.memory.readStream(...args);
  }
}

describe('A page of history whose streams were written through', () => {
  const PAGE = 10;
  let place: ReturnType<typeof newFolder>;
  let memory: MemoryEventStore;
  let store: HeadersStore;
  let file: GenerationFile;
  const appends: RandomAppend[] = [];

  beforeEach(async () => {
    place = newFolder();
    memory = new MemoryEventStore();
    store = new HeadersStore(memory);
    file = newFile('written');
    appends.length = 0;
    await new RandomHistories(memory, seededChoice(7), { streams: 40, categories: ['payment', 'token'] }).run(
      200,
      (append) => void appends.push(append),
    );
  });
  afterEach(() => {
    file.close();
    place.remove();
  });

  const newFile = (name: string): GenerationFile => {
    const path = join(place.folder, `${name}.db`);
    GenerationFile.create(path, tableShape('transactions'));
    return GenerationFile.open(path, tableShape('transactions'));
  };
  const project = (into: GenerationFile, from: HeadersStore | MemoryEventStore) =>
    projectToEnd(from, into, new StateCache(from as unknown as EventStore, 100), {
      limit: PAGE,
      afterPage: setImmediate,
    });

  /** As an appending process does. Every `lost`th write is lost. */
  function writeThrough(lost = Number.POSITIVE_INFINITY): void {
    for (const [index, append] of appends.entries()) {
      if ((index + 1) % lost === 0) continue;
      for (const [projection, contribution] of categoryContributions(append.category)) {
        if (projection !== 'transactions') continue;
        file.write(touchedRows(contribution, append));
      }
    }
  }

  async function equalsHistory(): Promise<void> {
    const other = newFile('read');
    await project(other, memory);
    expect(file.page('', 10_000)).toEqual(other.page('', 10_000));
    expect(file.progress()).toEqual({ ...other.progress(), updatedAt: file.progress().updatedAt });
    other.close();
  }

  it('is passed without reading its events', async () => {
    writeThrough();
    await project(file, store);
    const pages = (await memory.readAll({ categories: ['payment', 'token'] })).events.length / PAGE;
    expect(pages).toBeGreaterThan(15);
    // The service's own operations have no rows, so streams that end with one are read.
    expect(store.read).toBeLessThan(pages / 2);
    await equalsHistory();
  });

  it('is read if a row is missing, and the row is written', async () => {
    writeThrough(9);
    await project(file, store);
    expect(store.read).toBeGreaterThan(0);
    await equalsHistory();
  });

  it('halts at an event of an unknown type', async () => {
    writeThrough();
    const { stream, events } = appends.at(-1) as RandomAppend;
    const unknown = { id: crypto.randomUUID(), type: 'Foreseen', data: {}, metadata: { schemaVersion: 1 } };
    await memory.append({ stream, expected: events.length - 1, events: [unknown] });
    await expect(project(file, store)).rejects.toThrow('Foreseen');
  });
});
