import { newEventId } from './event-id.js';
import { nameOfHistory } from './history.name.js';
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
    const young = await nameOfHistory(await historyOf('merchant-1'));
    expect(young).toMatch(/^[0-9a-f]{12}$/);
    expect(await nameOfHistory(await historyOf('merchant-1', 'merchant-2'))).toBe(young);
    expect(await nameOfHistory(await historyOf('merchant-2', 'merchant-1'))).not.toBe(young);
  });

  it('has none before its first event', async () => {
    expect(await nameOfHistory(await historyOf())).toBeUndefined();
  });
});
