import { newEventId } from './event-id.js';
import { historyFingerprint } from './history-identity.js';
import { MemoryEventStore } from './memory-event-store.js';

async function historyOf(...streams: readonly string[]): Promise<MemoryEventStore> {
  const store = new MemoryEventStore();
  for (const stream of streams) {
    const events = [{ id: newEventId(), type: 'Made', data: {}, metadata: { schemaVersion: 1 } }];
    await store.append({ stream, expected: 'none', events });
  }
  return store;
}

describe('The fingerprint of a history', () => {
  it('depends on the first event only', async () => {
    const fingerprint = await historyFingerprint(await historyOf('merchant-1'));
    expect(fingerprint).toMatch(/^[0-9a-f]{12}$/);
    expect(await historyFingerprint(await historyOf('merchant-1', 'merchant-2'))).toBe(fingerprint);
    expect(await historyFingerprint(await historyOf('merchant-2', 'merchant-1'))).not.toBe(fingerprint);
  });

  it('does not exist before the first event', async () => {
    expect(await historyFingerprint(await historyOf())).toBeUndefined();
  });
});
