import { setImmediate } from 'node:timers/promises';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import type { Position } from '@tillstream/event-store';
import { openReadModels } from '@tillstream/read-models-sqlite';
import { openListsInDatabase, type OpenedLists } from '../services/bench.database.js';
import type { ProjectionName } from '@tillstream/read-models';
import type { HistoryRun } from './read-models.rebuild.js';

/*
 * A process that reads the events of some categories, or rebuilds some lists, and reports its rate and its peak of memory.
 * Both name them with commas between. The place of the lists is a directory, or the address of a PostgreSQL database.
 */

const PAGE = 500;
const [mode, file = '', place = '', names = ''] = process.argv.slice(2);
const store = await openSqliteEventStore({ file, readOnly: true });

async function read(): Promise<number> {
  let events = 0;
  let after: Position | undefined;
  for (let end = false; !end;) {
    const page = await store.readAll({
      ...(after && { after }),
      categories: names.split(','),
      limit: PAGE,
    });
    events += page.events.length;
    after = page.next;
    ({ end } = page);
    await setImmediate();
  }
  return events;
}

async function rebuild({ models }: OpenedLists): Promise<number> {
  let events = 0;
  for (const list of names.split(',')) events += (await models.rebuild(list as ProjectionName)).events;
  return events;
}

/** As the service names this store: it takes over lists that were made here. */
async function openLists(): Promise<OpenedLists> {
  const source = 'sqlite';
  if (place.startsWith('postgres:')) return openListsInDatabase({ url: place, tls: 'Off' }, store, source);
  const models = await openReadModels({ directory: place, store, source });
  return { models, close: () => models.stop() };
}

// A service has opened them long before.
const lists = mode === 'read' ? undefined : await openLists();
const startedAt = performance.now();
const events = await (lists ? rebuild(lists) : read());
const seconds = (performance.now() - startedAt) / 1_000;
const run: HistoryRun = {
  ...{ events, seconds, perSecond: events / seconds },
  peakBytes: process.resourceUsage().maxRSS * 1024,
};
await lists?.close();
await store.close();
process.send?.(run, () => process.disconnect());
