import { join } from 'node:path';
import { MemoryEventStore } from '@tillstream/event-store';
import type { ReadModels } from '@tillstream/read-models';
import { openReadModels } from '@tillstream/read-models-sqlite';
import { fillTransactions } from '@tillstream/read-models-sqlite/testing';
import type { Bench, BenchContext } from '../bench.types.js';
import { TRANSACTION_PAGES_METHOD, transactionPages } from './read-models.pages.js';
import { REBUILD_METHOD, rebuildFigures } from './read-models.rebuild.js';

export const readModelsBench: Bench = {
  name: 'read-models',
  title: 'Lists, and making them anew',
  method: `${TRANSACTION_PAGES_METHOD} ${REBUILD_METHOD}`,
  run: async (context) => [
    ...(await transactionPages((name, rows) => openFilled(context, name, rows), context)),
    ...(await rebuildFigures(context)),
  ],
};

function openFilled({ folder, progress }: BenchContext, name: string, rows: number): Promise<ReadModels> {
  const directory = join(folder, name);
  fillTransactions(directory, rows, (done) => progress(`making row ${done} of ${rows}`));
  return openReadModels({ directory, store: new MemoryEventStore() });
}
