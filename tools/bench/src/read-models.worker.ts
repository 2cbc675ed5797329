import { setImmediate } from 'node:timers/promises';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import type { Position } from '@tillstream/event-store';
import { openReadModels } from '@tillstream/read-models-sqlite';
import type { HistoryRun } from './read-models.rebuild.js';

/* A process that reads a history or rebuilds a list, and reports its rate and its peak of memory. */

const PAGE = 500;
const [mode, file = '', directory = ''] = process.argv.slice(2);
const store = await openSqliteEventStore({ file, readOnly: true });

async function read(): Promise<number> {
  let events = 0;
  let after: Position | undefined;
  for (let end = false; !end;) {
    const page = await store.readAll({
      ...(after && { after }),
      categories: ['payment', 'token'],
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
  const models = await openReadModels({ directory, store });
  const { events } = await models.rebuild('transactions');
  await models.stop();
  return events;
}

const startedAt = performance.now();
const events = await (mode === 'read' ? read() : rebuild());
const run: HistoryRun = {
  perSecond: (events / (performance.now() - startedAt)) * 1000,
  peakBytes: process.resourceUsage().maxRSS * 1024,
};
await store.close();
process.send?.(run, () => process.disconnect());
