import {
  type QueuedWrite,
  type ReadModelsLog,
  type RowSet,
  type RowSink,
  WriteQueue,
} from '@tillstream/read-models';
import { WorkerHost } from '@tillstream/runtime';
import type { WrittenSets } from './row.writer.js';
import type { WriterData, WriterReply, WriterRequest } from './writer.worker.js';

/** The compiled file, next to this one or to its source. */
const WORKER = new URL('../../dist/bundled/writer.worker.js', import.meta.url);
const NAME = 'the writer of read models';
/** A write resolves after this time at the latest: the projector writes missing rows too. */
const WRITE_TIMEOUT_MS = 2_000;

/**
 * Sends rows to the writer's thread. While the thread writes one group, arriving rows gather for the next group. Writes
 * never reject: rows that are not written in time are logged, and the projector writes them.
 */
export class RowWriterThread implements RowSink {
  #host: WorkerHost<WriterRequest, WriterReply> | undefined;
  #isClosing = false;
  #isFlushScheduled = false;
  readonly #queue: WriteQueue;
  #inFlight: QueuedWrite[] = [];
  /** The group in flight timed out and its callers were released. The thread has not replied yet. */
  #isReplyOverdue = false;
  #timeouts: NodeJS.Timeout | undefined;
  #onIdle: (() => void) | undefined;

  private constructor(log: ReadModelsLog) {
    this.#queue = new WriteQueue(log, () => performance.now());
  }

  /** Rejects if the thread can't open the control database. */
  static async start(directory: string, log: ReadModelsLog): Promise<RowWriterThread> {
    const thread = new RowWriterThread(log);
    thread.#host = await WorkerHost.start<WriterRequest, WriterReply>({
      name: NAME,
      file: WORKER,
      workerData: { directory } satisfies WriterData,
      firstPauseMs: 50,
      longestPauseMs: 5_000,
      onReady: () => thread.#flush(),
      onReply: (reply) =>
        reply.kind === 'written' ? thread.#handleWritten(reply) : log.warn(...reply.entry),
      onExit: ({ reason }) => thread.#handleExit(reason),
      startError: (failure) => new Error(`${NAME} did not start: ${failure}`),
    });
    return thread;
  }

  write(sets: readonly RowSet[]): Promise<readonly RowSet[]> {
    return this.#queue.add(sets, () => {
      this.#timeouts ??= setInterval(() => this.#releaseTimedOut(), WRITE_TIMEOUT_MS / 4).unref();
      this.#scheduleFlush();
    });
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#queue.close();
    if (this.#isBusy) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    clearInterval(this.#timeouts);
    await this.#host?.stop({ kind: 'close' });
  }

  get #isBusy(): boolean {
    return !this.#queue.isEmpty || this.#inFlight.length > 0;
  }

  /** All rows that arrive in one turn of the event loop go into the same group. */
  #scheduleFlush(): void {
    if (this.#isFlushScheduled) return;
    this.#isFlushScheduled = true;
    setImmediate(() => {
      this.#isFlushScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    const host = this.#host;
    if (!host?.isReady || this.#isReplyOverdue || this.#inFlight.length > 0 || this.#queue.isEmpty) return;
    this.#inFlight = this.#queue.takeGroup();
    host.ref();
    host.post({ kind: 'rows', sets: this.#inFlight.flatMap(({ sets }) => sets) });
  }

  #handleWritten({ failures, incomplete }: WrittenSets): void {
    for (const failure of failures) this.#queue.logNotWritten(failure);
    this.#isReplyOverdue = false;
    const writes = this.#inFlight.splice(0);
    const all = writes.flatMap(({ sets }) => sets);
    this.#release(writes, new Set(incomplete.map((place) => all[place])));
    this.#flush();
    if (!this.#isBusy) this.#host?.unref();
  }

  /** A thread that waits for a file's lock may still have the group in flight, and writes it later. */
  #releaseTimedOut(): void {
    const before = performance.now() - WRITE_TIMEOUT_MS;
    const isTimedOut = ({ queuedAt }: QueuedWrite): boolean => queuedAt < before;
    if (this.#inFlight.some(isTimedOut)) {
      this.#isReplyOverdue = true;
      this.#queue.logNotWritten(`no reply from the writer within ${WRITE_TIMEOUT_MS} ms`);
      this.#release(this.#inFlight.splice(0));
    }
    const timedOut = this.#queue.takeLate(isTimedOut);
    if (timedOut.length === 0) return;
    this.#queue.logNotWritten(`${timedOut.length} writes were queued for more than ${WRITE_TIMEOUT_MS} ms`);
    this.#release(timedOut);
  }

  #handleExit(reason: string): void {
    this.#isReplyOverdue = false;
    if (this.#inFlight.length > 0) this.#queue.logNotWritten(`the writer's thread died: ${reason}`);
    this.#release(this.#inFlight.splice(0));
  }

  #release(writes: readonly QueuedWrite[], incomplete: ReadonlySet<RowSet | undefined> = new Set()): void {
    for (const { sets, done } of writes) done(sets.filter((set) => incomplete.has(set)));
    if (!this.#isBusy) this.#onIdle?.();
  }
}
