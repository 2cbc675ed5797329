import { EventStoreError } from '@tillstream/event-store';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { UnitResult } from './unit.js';
import type {
  Migration,
  WriterFailure,
  WriterOptions,
  WriterReply,
  WriterRequest,
  WriterUnit,
} from './writer.messages.js';

/** The compiled file, next to this one or to its source. */
const WORKER = new URL('../dist/writer.worker.js', import.meta.url);
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5000;

export interface WriterLimits {
  /** Units per transaction: keeps it at milliseconds, since other processes wait for it. */
  readonly groupUnits: number;
  readonly groupBytes: number;
  /** Units that may wait; beyond it new ones are `Unavailable` at once. */
  readonly queueUnits: number;
}

interface Waiting {
  readonly unit: WriterUnit;
  readonly bytes: number;
  readonly resolve: (result: UnitResult) => void;
  readonly reject: (error: EventStoreError) => void;
}

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
  #waiting: Waiting[] = [];
  #inFlight: Waiting[][] = [];
  /** Units in flight. */
  #outstanding = 0;
  /** What a COMMIT takes lately, most of it the fsync. */
  #commitMs = Infinity;
  #migrating: { resolve: () => void; reject: (error: EventStoreError) => void }[] = [];
  #idle: (() => void) | undefined;
  #again: NodeJS.Timeout | undefined;

  private constructor(
    private readonly options: WriterOptions,
    private readonly limits: WriterLimits,
    private readonly committed: () => void,
    private readonly workerFile: URL,
  ) {}

  /** Rejects if the file can't be opened. `committed` is called after each group that wrote something. */
  static async start(
    options: WriterOptions,
    limits: WriterLimits,
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

  execute(unit: WriterUnit, bytes: number): Promise<UnitResult> {
    return new Promise((resolve, reject) => {
      if (this.#closing) return reject(new EventStoreError('Unavailable', 'the store is closed'));
      if (this.#waiting.length >= this.limits.queueUnits) {
        return reject(
          new EventStoreError('Unavailable', `${this.#waiting.length} writes are waiting already`),
        );
      }
      this.#waiting.push({ unit, bytes, resolve, reject });
      this.#flushSoon();
    });
  }

  migrate(migration: Migration): Promise<void> {
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
    if (this.#waiting.length > 0 || this.#inFlight.length > 0)
      await new Promise<void>((resolve) => (this.#idle = resolve));
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
      } else if (reply.kind === 'unready') failed(errorOf(reply.failure));
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
      else migrating?.reject(errorOf(reply.failure));
      return this.#settleIdle();
    }
    const group = this.#inFlight.shift() ?? [];
    this.#outstanding -= group.length;
    this.#commitMs = Number.isFinite(this.#commitMs)
      ? this.#commitMs + (reply.commitMs - this.#commitMs) / 8
      : reply.commitMs;
    let wrote = false;
    for (const [index, waiting] of group.entries()) {
      const outcome = reply.outcomes[index];
      if (outcome === undefined) waiting.reject(new EventStoreError('Unknown', 'the writer gave no answer'));
      else if (outcome.kind === 'Failed') waiting.reject(errorOf(outcome));
      else {
        wrote ||= outcome.kind === 'Done';
        waiting.resolve(outcome);
      }
    }
    if (wrote) this.committed();
    this.#flushSoon();
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

  #flush(): void {
    while (this.#ready && this.#inFlight.length < GROUPS_IN_FLIGHT && this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#nextGroup());
      this.#inFlight.push(group);
      this.#outstanding += group.length;
      this.#send({ kind: 'group', units: group.map((waiting) => waiting.unit) });
    }
  }

  /**
   * How many units travel next. Where a commit costs less than the work around it, half of those outstanding go at a
   * time, so that this thread prepares one half while the other is committed; else all go together.
   */
  #nextGroup(): number {
    const outstanding = this.#outstanding + this.#waiting.length;
    const halve = this.#commitMs < outstanding * MAIN_MS_PER_UNIT;
    const most = Math.min(this.limits.groupUnits, halve ? Math.ceil(outstanding / 2) : outstanding);
    let count = 0;
    let bytes = 0;
    for (const waiting of this.#waiting) {
      bytes += waiting.bytes;
      if (count > 0 && (count >= most || bytes > this.limits.groupBytes)) break;
      count += 1;
    }
    return count;
  }

  #send(request: WriterRequest): void {
    // A process must not end over an append; without one, an open store keeps nobody alive.
    this.#worker?.ref();
    this.#worker?.postMessage(request);
  }

  #settleIdle(): void {
    if (this.#inFlight.length > 0 || this.#waiting.length > 0) return;
    this.#idle?.();
    if (!this.#closing && this.#migrating.length === 0) this.#worker?.unref();
  }

  #died(reason: string): void {
    const wasReady = this.#ready;
    this.#worker = undefined;
    this.#ready = false;
    this.#outstanding = 0;
    const unknown = new EventStoreError('Unknown', `the writer's thread died: ${reason}`);
    for (const waiting of this.#inFlight.splice(0).flat()) waiting.reject(unknown);
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
    const unavailable = new EventStoreError('Unavailable', `the writer can't be started: ${reason}`);
    for (const waiting of this.#waiting.splice(0)) waiting.reject(unavailable);
  }
}

/** One is being committed while the next already lies in the thread's queue. */
const GROUPS_IN_FLIGHT = 2;
/** About what this thread works for one unit at least: the decision, its hashes, its answer. */
const MAIN_MS_PER_UNIT = 0.02;

function errorOf(failure: WriterFailure): EventStoreError {
  return new EventStoreError(failure.code, failure.message);
}
