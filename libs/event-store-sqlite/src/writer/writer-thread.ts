import { EventStoreError } from '@tillstream/event-store';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { toEventStoreError, GroupQueue, type QueueLimits } from './group-queue.js';
import { flattenUnits, parseResults } from './group.wire.js';
import type { WriteUnitResult } from './write-unit.js';
import type {
  CompanionMigration,
  WriterOptions,
  WriterReply,
  WriterRequest,
  SerialisedUnit,
} from './writer.messages.js';

/** The compiled file, next to this one or to its source. */
const WORKER = new URL('../../dist/writer/bundled/writer.worker.js', import.meta.url);
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5000;

/**
 * The main thread's end of the writer. Units that arrive together, or while a group is being committed, make the next
 * group. If the thread dies, units in flight are `Unknown` and another is started; units not yet sent wait for it.
 */
export class WriterThread {
  #worker: Worker | undefined;
  #ready = false;
  #closing = false;
  #flushing = false;
  #pause = FIRST_PAUSE_MS;
  readonly #queue: GroupQueue;
  #migrating: { resolve: () => void; reject: (error: EventStoreError) => void }[] = [];
  #idle: (() => void) | undefined;
  #again: NodeJS.Timeout | undefined;

  private constructor(
    private readonly options: WriterOptions,
    limits: QueueLimits,
    private readonly committed: () => void,
    private readonly workerFile: URL,
  ) {
    this.#queue = new GroupQueue(limits);
  }

  /** Rejects if the file can't be opened. `committed` is called after each group that wrote something. */
  static async start(
    options: WriterOptions,
    limits: QueueLimits,
    committed: () => void,
    workerFile: URL = WORKER,
  ): Promise<WriterThread> {
    if (!existsSync(workerFile)) {
      throw new Error(
        `${fileURLToPath(workerFile)} is missing: build event-store-sqlite first (npm run build)`,
      );
    }
    const thread = new WriterThread(options, limits, committed, workerFile);
    try {
      await new Promise<void>((resolve, reject) => thread.#start(resolve, reject));
    } catch (error) {
      thread.#closing = true;
      throw error;
    }
    return thread;
  }

  execute(unit: SerialisedUnit, bytes: number): Promise<WriteUnitResult> {
    if (this.#closing) return Promise.reject(new EventStoreError('Unavailable', 'the store is closed'));
    const result = this.#queue.add(unit, bytes);
    this.#flushSoon();
    return result;
  }

  migrate(migration: CompanionMigration): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#ready) return reject(new EventStoreError('Unavailable', 'the writer is not running'));
      this.#migrating.push({ resolve, reject });
      this.#send({ kind: 'migrate', migration });
    });
  }

  /** Takes no more units, and resolves when those accepted are settled and the file is closed. */
  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    clearTimeout(this.#again);
    if (this.#worker === undefined) this.#refuseWaiting('the store is closed');
    if (!this.#queue.isEmpty) await new Promise<void>((resolve) => (this.#idle = resolve));
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.ref();
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    this.#send({ kind: 'close' });
    await exited;
  }

  #start(started: () => void, failed: (error: EventStoreError) => void): void {
    const worker = new Worker(this.workerFile, { workerData: this.options });
    this.#worker = worker;
    let reason = 'it ended';
    worker.on('message', (reply: WriterReply) => {
      if (reply.kind === 'ready') {
        this.#ready = true;
        this.#pause = FIRST_PAUSE_MS;
        started();
        this.#settleIdle();
        this.#flush();
      } else if (reply.kind === 'unready') failed(toEventStoreError(reply.failure));
      else this.#receive(reply);
    });
    worker.on('error', (error) => (reason = error.message));
    worker.once('exit', () => {
      if (this.#worker === worker) this.#died(reason);
      failed(new EventStoreError('Unavailable', `the writer's thread did not start: ${reason}`));
    });
  }

  #receive(reply: Extract<WriterReply, { kind: 'group' | 'migrate' }>): void {
    if (reply.kind === 'migrate') {
      const migrating = this.#migrating.shift();
      if (reply.failure === undefined) migrating?.resolve();
      else migrating?.reject(toEventStoreError(reply.failure));
      return this.#settleIdle();
    }
    if (this.#queue.settle(parseResults(reply.outcomes), reply.commitMs)) this.committed();
    this.#flushWhenAnswered();
    this.#settleIdle();
  }

  /** After what runs now, so that all which arrives in the same turn of the event loop travels together. */
  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      this.#flush();
    });
  }

  /**
   * When all who were answered have gone on: what they append next is sent before the thread's next reply is looked
   * at, since the thread may be idle meanwhile.
   */
  #flushWhenAnswered(): void {
    queueMicrotask(() => process.nextTick(() => this.#flush()));
  }

  #flush(): void {
    for (let units; this.#ready && (units = this.#queue.nextGroup()) !== undefined;)
      this.#send({ kind: 'group', units: flattenUnits(units) });
  }

  #send(request: WriterRequest): void {
    // A process must not end over an append; without one, an open store keeps nobody alive.
    this.#worker?.ref();
    this.#worker?.postMessage(request);
  }

  #settleIdle(): void {
    if (!this.#queue.isEmpty) return;
    this.#idle?.();
    if (!this.#closing && this.#migrating.length === 0) this.#worker?.unref();
  }

  #died(reason: string): void {
    const wasReady = this.#ready;
    this.#worker = undefined;
    this.#ready = false;
    const unknown = new EventStoreError('Unknown', `the writer's thread died: ${reason}`);
    this.#queue.rejectInFlight(unknown);
    for (const migrating of this.#migrating.splice(0)) migrating.reject(unknown);
    if (!wasReady) this.#refuseWaiting(reason);
    if (this.#closing) this.#refuseWaiting('the store is closed');
    this.#settleIdle();
    if (this.#closing) return;
    this.#again = setTimeout(() => this.#restart(), this.#pause);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
  }

  #restart(): void {
    // A start that fails ends the thread: `#died` refuses those that wait and tries again.
    this.#start(
      () => undefined,
      () => undefined,
    );
  }

  #refuseWaiting(reason: string): void {
    this.#queue.rejectQueued(new EventStoreError('Unavailable', `the writer can't be started: ${reason}`));
  }
}
