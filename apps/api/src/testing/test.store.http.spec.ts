import { appendsSeen } from './test.store.js';
import { startTestApi } from './test.api.js';

it('keeps its events on the store that this run is for, and nowhere else', async () => {
  const api = await startTestApi();
  const isServer = globalThis.EVENT_STORE === 'eventstoredb';
  const before = appendsSeen(api.dataDir);
  await api.transaction('physical-sale', { amount: 100 });
  expect(appendsSeen(api.dataDir) - before).toBe(isServer ? 2 : 0);
  await api.stop();
});
