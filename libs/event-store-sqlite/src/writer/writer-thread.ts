import { EventStoreError } from '@tillstream/event-store';
import { WorkerHost, WorkerStartError, type WorkerExit } from '@tillstream/runtime';
import { toEventStoreError, GroupQueue, type QueueLimits } from './group-queue.js';
import type { WriteUnitResult } from './write-unit.js';
import type {
  CompanionMigration,
  SerialisedUnit,
  WriterFailure,
  WriterOptions,
  WriterReply,
  WriterRequest,
} from './writer.messages.js';

/** The bundled file; the same path from `src` and from `dist`. */
const WORKER = new URL('../../dist/bundled/writer.worker.js', import.meta.url);
const RESTART_PAUSES = { firstPauseMs: 50, longestPauseMs: 5000 };

/**
 * The main thread's side of the writer. Units that arrive together, or while the thread commits a group, make the next
 * group. If the thread dies, units in flight are `Unknown` and the host restarts it; units not yet sent wait for it.
 */
export class WriterThread {
  #host: WorkerHost<WriterRequest, WriterReply, WriterFailure> | undefined;
  #isClosing = false;
  #isFlushScheduled = false;
  readonly #queue: GroupQueue;
  #migrations: { resolve: () => void; reject: (error: EventStoreError) => void }[] = [];
  #onIdle: (() => void) | undefined;

  private constructor(
    limits: QueueLimits,
    private readonly onCommitted: () => void,
  ) {
    this.#queue = new GroupQueue(limits);
  }

  /**
   * Rejects with `Unavailable` if the thread can't open the file. Calls `onCommitted` after each group that wrote
   * something.
   */
  static async start(
    options: WriterOptions,
    limits: QueueLimits,
    onCommitted: () => void,
    workerFile: URL = WORKER,
  ): Promise<WriterThread> {
    const thread = new WriterThread(limits, onCommitted);
    try {
      thread.#host = await WorkerHost.start<WriterRequest, WriterReply, WriterFailure>({
        ...RESTART_PAUSES,
        name: "the writer's thread",
        file: workerFile,
        workerData: options,
        onReady: () => thread.#flush(),
        onReply: (reply) => thread.#receive(reply),
        onExit: (exit) => thread.#handleExit(exit),
        startError: toEventStoreError,
      });
    } catch (error) {
      if (error instanceof WorkerStartError) throw new EventStoreError('Unavailable', error.message);
      throw error;
    }
    return thread;
  }

  execute(unit: SerialisedUnit, bytes: number): Promise<WriteUnitResult> {
    if (this.#isClosing) return Promise.reject(new EventStoreError('Unavailable', 'the store is closed'));
    const result = this.#queue.add(unit, bytes);
    this.#scheduleFlush();
    return result;
  }

  migrate(migration: CompanionMigration): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#host?.isReady !== true)
        return reject(new EventStoreError('Unavailable', 'the writer is not running'));
      this.#migrations.push({ resolve, reject });
      this.#send({ kind: 'migrate', migration });
    });
  }

  /** Takes no more units. Resolves when all accepted units are settled and the file is closed. */
  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    if (this.#host?.isRunning !== true) this.#rejectQueued('the store is closed');
    if (!this.#queue.isEmpty) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    await this.#host?.stop({ kind: 'close' });
  }

  #receive(reply: WriterReply): void {
    if (reply.kind === 'migrate') {
      const migration = this.#migrations.shift();
      if (reply.failure === undefined) migration?.resolve();
      else migration?.reject(toEventStoreError(reply.failure));
    } else {
      if (this.#queue.settle(reply.results, reply.commitMs)) this.onCommitted();
      this.#flushAfterCallers();
    }
    this.#settleIdle();
  }

  /** Flushes in the next turn of the event loop, so that all units of this turn go into one group. */
  #scheduleFlush(): void {
    if (this.#isFlushScheduled) return;
    this.#isFlushScheduled = true;
    setImmediate(() => {
      this.#isFlushScheduled = false;
      this.#flush();
    });
  }

  /**
   * Flushes when the callers have continued after their results. Their next appends then reach the thread before the main
   * thread reads another reply, so the thread does not wait for them.
   */
  #flushAfterCallers(): void {
    queueMicrotask(() => process.nextTick(() => this.#flush()));
  }

  #flush(): void {
    for (let units; this.#host?.isReady === true && (units = this.#queue.nextGroup()) !== undefined;)
      this.#send({ kind: 'group', units });
  }

  /** The process stays alive until the thread has replied to all requests. */
  #send(request: WriterRequest): void {
    this.#host?.ref();
    this.#host?.post(request);
  }

  #settleIdle(): void {
    if (!this.#queue.isEmpty) return;
    this.#onIdle?.();
    if (!this.#isClosing && this.#migrations.length === 0) this.#host?.unref();
  }

  #handleExit({ reason, wasReady }: WorkerExit): void {
    const unknown = new EventStoreError('Unknown', `the writer's thread died: ${reason}`);
    this.#queue.rejectInFlight(unknown);
    for (const migration of this.#migrations.splice(0)) migration.reject(unknown);
    if (!wasReady) this.#rejectQueued(reason);
    if (this.#isClosing) this.#rejectQueued('the store is closed');
    this.#settleIdle();
  }

  #rejectQueued(reason: string): void {
    this.#queue.rejectQueued(new EventStoreError('Unavailable', `the writer can't be started: ${reason}`));
  }
}
