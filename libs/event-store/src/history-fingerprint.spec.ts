import { newEventId } from './event-id.js';
import { historyFingerprint } from './history-fingerprint.js';
import { MemoryEventStore } from './memory-event-store.js';

async function historyOf(...streams: readonly string[]): Promise<MemoryEventStore> {
  const store = new MemoryEventStore();
  for (const stream of streams) {
    const events = [{ id: newEventId(), type: 'Made', data: {}, metadata: { schemaVersion: 1 } }];
    await store.append({ stream, expected: 'none', events });
  }
  return store;
}

describe('A history', () => {
  it('has the name of its beginning, whatever is written later', async () => {
    const young = await historyFingerprint(await historyOf('merchant-1'));
    expect(young).toMatch(/^[0-9a-f]{12}$/);
    expect(await historyFingerprint(await historyOf('merchant-1', 'merchant-2'))).toBe(young);
    expect(await historyFingerprint(await historyOf('merchant-2', 'merchant-1'))).not.toBe(young);
  });

  it('has none before its first event', async () => {
    expect(await historyFingerprint(await historyOf())).toBeUndefined();
  });
});
