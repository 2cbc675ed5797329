import { newEventId } from './event-id.js';
import { EventStoreError } from './event-store.js';
import type { Position } from './event.js';
import { UnreadableEvent } from './hash-chain.js';
import { historyFingerprint, holdsWitness } from './history-identity.js';
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

describe('The witness of a history', () => {
  const witness = { stream: 'merchant-1', revision: 0, position: '1' as Position };
  const link = { stream: 'merchant-1', revision: 0, id: newEventId(), problem: 'its data is no JSON object' };
  const damaged = new UnreadableEvent(link, witness.position);

  it.each([
    ['directly', damaged],
    ['as the cause of its error', new EventStoreError('Invalid', 'no JSON object', { cause: damaged })],
  ])('is present if the store reports its event as damaged, %s', async (_, error) => {
    expect(await holdsWitness({ readStream: () => Promise.reject(error) }, witness)).toBe(true);
  });

  it('is unknown after any other error of the store', async () => {
    const error = new EventStoreError('Unavailable', 'the store is closed');
    const read = holdsWitness({ readStream: () => Promise.reject(error) }, witness);
    await expect(read).rejects.toBe(error);
  });
});
