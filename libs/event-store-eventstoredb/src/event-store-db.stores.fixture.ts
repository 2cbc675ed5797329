import type { StoresUnderTest } from '@tillstream/event-store-testing';
import { startEventStoreDbDouble } from '@tillstream/event-store-testing/eventstoredb';
import { openEventStoreDb } from './event-store-db.store.js';

const realUrl = process.env['EVENTSTOREDB_URL'];

/** The contract runs on the server of EVENTSTOREDB_URL, or else on a double for each test. */
export const serverUnderTest =
  realUrl === undefined
    ? 'EventStoreDB (gRPC double)'
    : `EventStoreDB (real server ${realUrl.replace(/^[^@]*@|^[^/]*\/\//, '').replace(/\?.*$/, '')})`;

export const eventStoreDbStores: StoresUnderTest = {
  durable: true,
  multiProcess: true,
  place: async () => {
    if (realUrl !== undefined) {
      return { open: async () => openEventStoreDb({ url: realUrl }), remove: async () => undefined };
    }
    const double = await startEventStoreDbDouble();
    return { open: async () => openEventStoreDb({ url: double.url }), remove: () => double.close() };
  },
};
