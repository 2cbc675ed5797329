import { storeFaults } from './store-faults.proof.js';

it('whatever EventStoreDB does at any step of a payment, it is done once or found out later', async () => {
  const { complaints, figures } = await storeFaults.run({ quick: true, say: () => undefined });
  expect(complaints).toEqual([]);
  expect(figures['faults met']).toBeGreaterThan(0);
}, 240_000);
