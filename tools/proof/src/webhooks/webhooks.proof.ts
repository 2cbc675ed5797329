import { startEventStoreDbDouble } from '@tillstream/event-store-testing/eventstoredb';
import { mergeReports } from '../audit/deployment.audit.js';
import { roundCount, type Proof } from '../proof.types.js';
import { deadEndpoint } from './dead-endpoint.trial.js';
import { dispatcherKills } from './dispatcher.kills.js';

const EVENTS_PER_KILL = 100;

export const webhooks: Proof = {
  name: 'webhooks',
  claim:
    'a webhook dispatcher that is killed again and again, also with its connection to EventStoreDB cut and after the loss of its tables, delivers every event to every endpoint, repeats with the same ids and bytes, and numbers without gap; a dead endpoint does not delay others (rounds: kills on each store)',
  least: { kills: 2, events: 200 },
  async run(options) {
    const { say, quick } = options;
    const kills = roundCount(options, 50, 4);
    const events = kills * EVENTS_PER_KILL;
    const reports = [await dispatcherKills({ name: 'SQLite', kills, events, say })];
    const store = await startEventStoreDbDouble();
    try {
      const environment = { EVENT_STORE: 'eventstoredb', EVENTSTOREDB_URL: store.url };
      reports.push(await dispatcherKills({ name: 'EventStoreDB', kills, events, say, store, environment }));
    } finally {
      await store.close();
    }
    const measured = quick
      ? { events: 100, rounds: 2, ratioMax: 2.5 }
      : { events: 600, rounds: 5, ratioMax: 1.2 };
    reports.push(await deadEndpoint({ ...measured, say }));
    return mergeReports(reports);
  },
};
