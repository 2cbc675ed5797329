import { BATCH_CATEGORY, batchIdFromStream, type BatchEvent } from '@tillstream/domain';
import type { Checkpoint, HeaderConsumer } from '@tillstream/event-consumers';
import type { EventStore } from '@tillstream/event-store';

const CLOSING: BatchEvent['type'] = 'BatchClosing';
/** Bounds the reads to 20 a second. */
const WAKE_UP_DELAY_MS = 50;
const PAGE_SIZE = 100;

/**
 * Calls `onStarted` when any process starts to close a batch. The checkpoint is in memory and starts at the head of the
 * store: the scheduler finds earlier closings in the rows.
 */
export function batchClosingConsumer(
  store: EventStore,
  onStarted: (batchId: string) => void,
): HeaderConsumer {
  let checkpoint: Promise<Checkpoint | undefined> | undefined;
  const readHead = async (): Promise<Checkpoint | undefined> => {
    const position = await store.head();
    return position === undefined ? undefined : { position, witness: undefined };
  };
  return {
    name: 'batch-closings',
    categories: [BATCH_CATEGORY],
    pageSize: PAGE_SIZE,
    wakeUpDelayMs: WAKE_UP_DELAY_MS,
    reads: 'Headers',
    checkpoint() {
      checkpoint ??= readHead();
      checkpoint.catch(() => (checkpoint = undefined));
      return checkpoint;
    },
    reset: () => Promise.reject(new Error('the checkpoint has no history witness')),
    isPermanent: () => false,
    async handle({ items, to }) {
      for (const { type, stream } of items) if (type === CLOSING) onStarted(batchIdFromStream(stream));
      checkpoint = Promise.resolve({ position: to, witness: undefined });
      return { kind: 'Moved', to };
    },
  };
}
