import { EventStoreError, type Append, type AppendResult, type EventStore } from '@tillstream/event-store';
import type { IdempotencyRecord, IdempotencyStore } from './idempotency.port.js';

/**
 * `IdempotencyStore.reserve` for keys and events in different stores: the key is durable before the append. If the process
 * ends between both, the key's command has no operation yet, and a repeat starts it.
 */
export async function reserveThenAppend(
  {
    keys,
    events,
  }: {
    readonly keys: Pick<IdempotencyStore, 'find' | 'reserveAlone' | 'release'>;
    readonly events: EventStore;
  },
  record: IdempotencyRecord,
  append: Append,
  replaces?: string,
): ReturnType<IdempotencyStore['reserve']> {
  const { merchantId, key, commandId } = record;
  const isRepeat = (await keys.find(merchantId, key))?.commandId === commandId;
  if (!(await keys.reserveAlone(record, replaces))) return { kind: 'Taken' };
  let result: AppendResult;
  try {
    result = await events.append(append);
  } catch (error) {
    // After a repeat's failure the first append may still succeed, so the key stays.
    const nothingWritten = !isRepeat && error instanceof EventStoreError && error.code !== 'Unknown';
    if (nothingWritten) await keys.release(merchantId, key, commandId);
    throw error;
  }
  // A repeat finds an event that its first append wrote. So a conflict means that neither append succeeded.
  if (result.kind === 'Conflict') await keys.release(merchantId, key, commandId);
  return { kind: 'Reserved', result };
}
