import { MemoryEventStore } from '@tillstream/event-store';
import { createQueries } from '@tillstream/read-models';
import { listedTransactions, expectTransactionsOfModel } from '@tillstream/read-models/testing/contract';
import { ControlDatabase } from '../generations/control.database.js';
import { openReadModels } from '../open-read-models.js';
import { newFolder } from '../testing/folder.testing.js';
import { LiveReader } from './live.reader.js';
import { sqliteRanges } from './merged-ranges.query.js';

it('Every index scan of a list gives the same rows, for any limit of narrow rows', async () => {
  const place = newFolder();
  const store = new MemoryEventStore();
  const models = await openReadModels({ directory: place.folder, store });
  const control = new ControlDatabase(place.folder);
  const reader = new LiveReader(control);
  try {
    const known = await listedTransactions(models, store);
    await expectTransactionsOfModel(createQueries(reader, { ranges: sqliteRanges, narrowRowsMax: 3 }), [
      ...known.values(),
    ]);
  } finally {
    await reader.close();
    control.close();
    await models.stop();
    place.remove();
  }
}, 160_000);
