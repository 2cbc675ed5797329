import { EventStoreError, type Append, type AppendResult, type EventStore } from '@tillstream/event-store';
import type { IdempotencyRecord, IdempotencyStore } from './idempotency.port.js';

/**
 * `IdempotencyStore.reserve` where keys and events lie in different places: the key is durable before the append is
 * tried. A process that dies in between leaves a key whose command began nothing, and a repeat begins it.
 */
export async function reserveThenAppend(
  keys: Pick<IdempotencyStore, 'find' | 'reserveAlone' | 'release'>,
  store: EventStore,
  record: IdempotencyRecord,
  append: Append,
  replaces?: string,
): Promise<{ readonly kind: 'Reserved'; readonly result: AppendResult } | { readonly kind: 'Taken' }> {
  const { merchantId, key, commandId } = record;
  const isRepeat = (await keys.find(merchantId, key))?.commandId === commandId;
  if (!(await keys.reserveAlone(record, replaces))) return { kind: 'Taken' };
  let result: AppendResult;
  try {
    result = await store.append(append);
  } catch (error) {
    // Of a repeat's failure nothing follows for the try before it, which may still turn up.
    const nothingWritten = !isRepeat && error instanceof EventStoreError && error.code !== 'Unknown';
    if (nothingWritten) await keys.release(merchantId, key, commandId);
    throw error;
  }
  // Had a try before it been written, its repeat would have found it: a conflict is a true one.
  if (result.kind === 'Conflict') await keys.release(merchantId, key, commandId);
  return { kind: 'Reserved', result };
}
