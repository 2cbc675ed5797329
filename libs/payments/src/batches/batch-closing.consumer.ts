import { BATCH_CATEGORY, batchIdFromStream, type BatchEvent } from '@tillstream/domain';
import type { Checkpoint, HeaderConsumer } from '@tillstream/event-consumers';
import type { EventStore } from '@tillstream/event-store';

const CLOSING: BatchEvent['type'] = 'BatchClosing';
/** At most so many reads a second, however much is appended. */
const GATHER_MS = 50;
const PAGE = 100;

/**
 * Tells of closings that any process begins, from the time at which this process began to listen. Its checkpoint lives in
 * memory: closings of before are found in the rows of batches.
 */
export function batchClosingConsumer(store: EventStore, begun: (batchId: string) => void): HeaderConsumer {
  let checkpoint: Promise<Checkpoint | undefined> | undefined;
  const atHead = async (): Promise<Checkpoint | undefined> => {
    const position = await store.head();
    return position === undefined ? undefined : { position, witness: undefined };
  };
  return {
    name: 'batch-closings',
    categories: [BATCH_CATEGORY],
    pageSize: PAGE,
    wakeUpDelayMs: GATHER_MS,
    reads: 'Headers',
    checkpoint() {
      checkpoint ??= atHead();
      checkpoint.catch(() => (checkpoint = undefined));
      return checkpoint;
    },
    reset: () => Promise.reject(new Error('it keeps no witness')),
    isPermanent: () => false,
    async handle({ items, to }) {
      for (const { type, stream } of items) if (type === CLOSING) begun(batchIdFromStream(stream));
      checkpoint = Promise.resolve({ position: to, witness: undefined });
      return { kind: 'Moved', to };
    },
  };
}
