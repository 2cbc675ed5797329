import {
  HISTORY_RESTORE_STREAM,
  historyRestoreCodec,
  openRestore,
  type HistoryRestored,
  type HistoryRestoreEvent,
} from '@tillstream/domain/service';
import { readWholeStream, type EventStore } from '@tillstream/event-store';
import { iso } from '../ports/clock.port.js';
import type { Ports } from '../parts.js';
import type { Actor } from '../requests/request.types.js';
import { decideAndAppend, fromRecorded } from '../stream-repository/event-metadata.js';

type StorePorts = Pick<Ports, 'store' | 'clock'>;

/** The copy that was restored. */
export type RestoredCopy = Pick<HistoryRestored, 'copyId' | 'takenAt'>;

/** The restore that is not reconciled yet. Costs one read. */
export async function findOpenRestore(store: EventStore): Promise<HistoryRestored | undefined> {
  const events = await readWholeStream(store, HISTORY_RESTORE_STREAM);
  return openRestore(events.map((event) => fromRecorded(historyRestoreCodec, event)));
}

/** Whether this copy was restored into this store. */
export async function isRestored(store: EventStore, copyId: string): Promise<boolean> {
  const events = await readWholeStream(store, HISTORY_RESTORE_STREAM);
  return events.some((event) => fromRecorded(historyRestoreCodec, event).data.copyId === copyId);
}

/** Records the restore, once for each copy, before a service uses the store. Durable when it resolves. */
export async function recordRestore(
  ports: StorePorts,
  actor: Actor,
  { copyId, takenAt }: RestoredCopy,
): Promise<void> {
  const data = { at: iso(ports.clock.now()), copyId, takenAt, by: actor.name };
  await decideAndAppend<HistoryRestoreEvent, undefined>(ports, changeBy(actor), (history) => ({
    events: history.some((event) => event.data.copyId === copyId) ? [] : [{ type: 'HistoryRestored', data }],
    value: undefined,
  }));
}

/**
 * Records that an operator compared a restored history with the processors' records. From here on the service starts.
 * @returns the restore; undefined: none is open, and nothing was written
 */
export async function recordReconciliation(
  ports: StorePorts,
  actor: Actor,
  why: string,
): Promise<HistoryRestored | undefined> {
  return decideAndAppend<HistoryRestoreEvent, HistoryRestored | undefined>(
    ports,
    changeBy(actor, why),
    (history) => {
      const open = openRestore(history);
      if (!open) return { events: [], value: undefined };
      const data = { at: iso(ports.clock.now()), copyId: open.copyId, by: actor.name, why };
      return { events: [{ type: 'RestoreReconciled', data }], value: open };
    },
  );
}

function changeBy(actor: Actor, reason?: string) {
  return {
    stream: HISTORY_RESTORE_STREAM,
    codec: historyRestoreCodec,
    cause: { merchantId: '', actor, reason },
  };
}
