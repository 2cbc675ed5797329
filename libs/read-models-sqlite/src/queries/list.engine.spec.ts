import { MemoryEventStore } from '@tillstream/event-store';
import { listedTransactions, transactionsEqualTheModel } from '@tillstream/read-models/testing/contract';
import { ControlDatabase } from '../generations/control.database.js';
import { openReadModels } from '../open-read-models.js';
import { newFolder } from '../testing/folder.testing.js';
import { LiveReader } from './live.reader.js';
import { createQueries } from './read-model.queries.js';

it('Every index scan of a list gives the same rows, whatever number of rows counts as narrow', async () => {
  const place = newFolder();
  const store = new MemoryEventStore();
  const models = await openReadModels({ directory: place.folder, store });
  const control = new ControlDatabase(place.folder);
  const reader = new LiveReader(control);
  try {
    const known = await listedTransactions(models, store);
    await transactionsEqualTheModel(createQueries(reader, { narrowRowsMax: 3 }), [...known.values()]);
  } finally {
    await reader.close();
    control.close();
    await models.stop();
    place.remove();
  }
}, 160_000);
