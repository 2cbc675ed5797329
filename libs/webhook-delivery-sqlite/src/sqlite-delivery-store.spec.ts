import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeliveryStore } from '@tillstream/webhook-delivery';
import {
  deliveryStoreContract,
  type DeliveriesUnderTest,
} from '@tillstream/webhook-delivery/testing/contract';
import { openSqliteDeliveryStore } from './sqlite-delivery-store.js';

const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 8);

async function newPlace(): Promise<DeliveriesUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'tillstream-deliveries-'));
  const directory = join(folder, 'webhooks');
  const opened: DeliveryStore[] = [];
  const others: DeliveriesUnderTest[] = [];
  return {
    runs: RUNS,
    open: async () => {
      const store = openSqliteDeliveryStore({ directory, source: 'test', onDamage: () => undefined });
      opened.push(store);
      return store;
    },
    another: async () => {
      const other = await newPlace();
      others.push(other);
      return other;
    },
    lose: async () => rmSync(directory, { recursive: true }),
    remove: async () => {
      for (const store of opened) await store.close();
      for (const other of others) await other.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

deliveryStoreContract('SQLite', newPlace);
