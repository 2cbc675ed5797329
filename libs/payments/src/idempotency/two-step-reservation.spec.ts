import { MemoryEventStore, newEventId, type Append } from '@tillstream/event-store';
import { FaultyEventStore } from '@tillstream/event-store-testing';
import type { IdempotencyRecord } from './idempotency.port.js';
import { MemoryIdempotency } from '../testing/memory-idempotency.js';

const record: IdempotencyRecord = {
  merchantId: 'mer_1',
  key: 'k1',
  fingerprint: 'f',
  commandId: 'c1',
  stream: 'payment-A',
  reservedAt: 1,
};
const append: Append = {
  stream: 'payment-A',
  expected: 'none',
  events: [{ id: newEventId(), type: 'SaleRequested', data: {}, metadata: {} }],
};

describe('a key that is reserved before its request is appended', () => {
  let store: FaultyEventStore;
  let keys: MemoryIdempotency;
  beforeEach(() => {
    store = new FaultyEventStore(new MemoryEventStore());
    keys = new MemoryIdempotency(store);
  });
  const storedCommand = async () => (await keys.find('mer_1', 'k1'))?.commandId;

  it('is stored before the append', async () => {
    let seen: string | undefined;
    store.inject({ kind: 'Delay', ms: 1 }, { before: async () => (seen = await storedCommand()) });
    await keys.reserve(record, append);
    expect(seen).toBe('c1');
  });

  it('is free again if nothing was written', async () => {
    store.inject({ kind: 'Unavailable' });
    await expect(keys.reserve(record, append)).rejects.toMatchObject({ code: 'Unavailable' });
    expect(await storedCommand()).toBeUndefined();
  });

  it('stays if the result of the append is unknown', async () => {
    store.inject({ kind: 'LoseAnswer', written: true });
    await expect(keys.reserve(record, append)).rejects.toMatchObject({ code: 'Unknown' });
    expect(await storedCommand()).toBe('c1');
  });

  it('stays if the repeat of an unknown append fails, because the first append may still succeed', async () => {
    store.inject({ kind: 'LoseAnswer', written: false });
    store.inject({ kind: 'Unavailable' });
    await expect(keys.reserve(record, append)).rejects.toMatchObject({ code: 'Unknown' });
    await expect(keys.reserve(record, append)).rejects.toMatchObject({ code: 'Unavailable' });
    expect(await storedCommand()).toBe('c1');
  });
});
