import { MemoryEventStore, newEventId, type Append } from '@tillstream/event-store';
import { FaultyEventStore } from '@tillstream/event-store-testing';
import type { IdempotencyRecord } from './idempotency.port.js';
import { MemoryIdempotency } from './memory-idempotency.js';

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

describe('A key that is reserved before its request is appended', () => {
  let store: FaultyEventStore;
  let keys: MemoryIdempotency;
  beforeEach(() => {
    store = new FaultyEventStore(new MemoryEventStore());
    keys = new MemoryIdempotency(store);
  });
  const holder = async () => (await keys.find('mer_1', 'k1'))?.commandId;

  it('is there before the append is tried', async () => {
    let seen: string | undefined;
    store.inject({ kind: 'Delay', ms: 1 }, { before: async () => (seen = await holder()) });
    await keys.reserve(record, append);
    expect(seen).toBe('c1');
  });

  it('is free again where nothing was written', async () => {
    store.inject({ kind: 'Unavailable' });
    await expect(keys.reserve(record, append)).rejects.toMatchObject({ code: 'Unavailable' });
    expect(await holder()).toBeUndefined();
  });

  it('stays where it is not known whether the request was written', async () => {
    store.inject({ kind: 'LoseAnswer', written: true });
    await expect(keys.reserve(record, append)).rejects.toMatchObject({ code: 'Unknown' });
    expect(await holder()).toBe('c1');
  });

  it('stays when a repeat of an unknown append could not be written: the first may still turn up', async () => {
    store.inject({ kind: 'LoseAnswer', written: false });
    store.inject({ kind: 'Unavailable' });
    await expect(keys.reserve(record, append)).rejects.toMatchObject({ code: 'Unknown' });
    await expect(keys.reserve(record, append)).rejects.toMatchObject({ code: 'Unavailable' });
    expect(await holder()).toBe('c1');
  });
});
