import { setImmediate } from 'node:timers/promises';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import type { Position } from '@tillstream/event-store';
import { openReadModels } from '@tillstream/read-models-sqlite';
import type { ProjectionName } from '@tillstream/read-models';
import type { HistoryRun } from './read-models.rebuild.js';

/*
 * A process that reads the events of some categories, or rebuilds some lists, and reports its rate and its peak of memory.
 * Both name them with commas between.
 */

const PAGE = 500;
const [mode, file = '', directory = '', names = ''] = process.argv.slice(2);
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

async function rebuild(): Promise<number> {
  // As the service names this store: it takes over lists that were made here.
  const models = await openReadModels({ directory, store, source: 'sqlite' });
  let events = 0;
  for (const list of names.split(',')) events += (await models.rebuild(list as ProjectionName)).events;
  await models.stop();
  return events;
}

const startedAt = performance.now();
const events = await (mode === 'read' ? read() : rebuild());
const seconds = (performance.now() - startedAt) / 1_000;
const run: HistoryRun = {
  ...{ events, seconds, perSecond: events / seconds },
  peakBytes: process.resourceUsage().maxRSS * 1024,
};
await store.close();
process.send?.(run, () => process.disconnect());
