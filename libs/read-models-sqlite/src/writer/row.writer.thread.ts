import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type {
  FlatRow,
  RowsByProjection,
  RowSink,
  ProjectionName,
  ReadModelsLog,
} from '@tillstream/read-models';
import type { OnSetAside } from '../damage/damaged-file.js';
import { flattenRows, type WriterReply, type WriterRequest } from './row.wire.js';

/** The compiled file, next to this one or to its source. */
const WORKER = new URL('../../dist/writer/bundled/writer.worker.js', import.meta.url);
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;
/** Rows written together: with it the lock of a file is held for some milliseconds. */
const GROUP_ROWS = 256;
const QUEUED_WRITES_MAX = 10_000;
/** Longer than this nobody waits for a row: the projector writes it too. */
const WRITE_TIMEOUT_MS = 2_000;

interface QueuedRowWrite {
  readonly rows: RowsByProjection;
  readonly size: number;
  readonly since: number;
  readonly done: () => void;
}

/**
 * The calling thread's end of the writer. What arrives while a group is written makes the next one. Nothing here rejects:
 * what could not be written in time is logged, and waits for the projector.
 */
export class RowWriterThread implements RowSink {
  #worker: Worker | undefined;
  #ready = false;
  #closing = false;
  #flushing = false;
  #pause = FIRST_PAUSE_MS;
  #waiting: QueuedRowWrite[] = [];
  #inFlight: QueuedRowWrite[] = [];
  /** The group that the thread has was given up; its answer is still to come. */
  #late = false;
  #again: NodeJS.Timeout | undefined;
  #impatience: NodeJS.Timeout | undefined;
  #idle: (() => void) | undefined;

  private constructor(
    private readonly directory: string,
    private readonly log: ReadModelsLog,
    private readonly tellSetAside: OnSetAside,
  ) {}

  /** Rejects where the thread can't open the control database. */
  static async start(
    directory: string,
    log: ReadModelsLog,
    tellSetAside: OnSetAside,
  ): Promise<RowWriterThread> {
    if (!existsSync(WORKER)) {
      throw new Error(`${fileURLToPath(WORKER)} is missing: build read-models first (npm run build)`);
    }
    const thread = new RowWriterThread(directory, log, tellSetAside);
    try {
      await new Promise<void>((resolve, reject) => thread.#start(resolve, reject));
    } catch (error) {
      thread.#closing = true;
      throw error;
    }
    return thread;
  }

  write(rows: RowsByProjection): Promise<void> {
    let size = 0;
    for (const some of rows.values()) size += some.length;
    if (size === 0) return Promise.resolve();
    if (this.#closing || this.#waiting.length >= QUEUED_WRITES_MAX) {
      this.#tell(
        this.#closing ? 'the read models are closed' : `${QUEUED_WRITES_MAX} writes are waiting already`,
      );
      return Promise.resolve();
    }
    return new Promise((done) => {
      this.#waiting.push({ rows, size, since: performance.now(), done });
      this.#flushSoon();
    });
  }

  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    clearTimeout(this.#again);
    if (this.#busy) await new Promise<void>((resolve) => (this.#idle = resolve));
    clearInterval(this.#impatience);
    const worker = this.#worker;
    if (!worker) return;
    worker.ref();
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    this.#send({ kind: 'close' });
    await exited;
  }

  get #busy(): boolean {
    return this.#waiting.length > 0 || this.#inFlight.length > 0;
  }

  #start(started: () => void, failed: (error: Error) => void): void {
    const worker = new Worker(WORKER, { workerData: { directory: this.directory } });
    this.#worker = worker;
    let reason = 'it ended';
    worker.on('message', (reply: WriterReply) => {
      if (reply.kind === 'unready') reason = reply.reason;
      else if (reply.kind === 'set-aside') this.tellSetAside(reply.what);
      else if (reply.kind === 'written') this.#written(reply.failures);
      else {
        this.#ready = true;
        this.#pause = FIRST_PAUSE_MS;
        worker.unref();
        started();
        this.#flush();
      }
    });
    worker.on('error', (error) => (reason = error.message));
    worker.once('exit', () => {
      if (!this.#ready) failed(new Error(`the writer of read models did not start: ${reason}`));
      if (this.#worker === worker) this.#died(reason);
    });
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
    if (!this.#ready || this.#late || this.#inFlight.length > 0 || this.#waiting.length === 0) return;
    let count = 0;
    for (let size = 0; count < this.#waiting.length && size < GROUP_ROWS; count++) {
      size += this.#waiting[count]?.size ?? 0;
    }
    this.#inFlight = this.#waiting.splice(0, count);
    this.#worker?.ref();
    this.#impatience ??= setInterval(() => this.#giveUpOld(), WRITE_TIMEOUT_MS / 4).unref();
    this.#send({ kind: 'rows', rows: flattenRows(mergeRows(this.#inFlight)) });
  }

  #written(failures: readonly string[]): void {
    for (const failure of failures) this.#tell(failure);
    this.#late = false;
    this.#settle(this.#inFlight.splice(0));
    this.#flush();
    if (!this.#busy) this.#worker?.unref();
  }

  /** Nobody waits for a row for long: a thread that waits for a lock may have the group, and will write it. */
  #giveUpOld(): void {
    const before = performance.now() - WRITE_TIMEOUT_MS;
    const isOld = ({ since }: QueuedRowWrite): boolean => since < before;
    if (this.#inFlight.some(isOld)) {
      this.#late = true;
      this.#tell(`no answer from the writer within ${WRITE_TIMEOUT_MS} ms`);
      this.#settle(this.#inFlight.splice(0));
    }
    const old = this.#waiting.filter(isOld);
    if (old.length === 0) return;
    this.#tell(`${old.length} writes waited for more than ${WRITE_TIMEOUT_MS} ms and were given up`);
    this.#waiting = this.#waiting.filter((one) => !isOld(one));
    this.#settle(old);
  }

  #died(reason: string): void {
    this.#worker = undefined;
    this.#ready = false;
    this.#late = false;
    if (this.#inFlight.length > 0) this.#tell(`the writer's thread died: ${reason}`);
    this.#settle(this.#inFlight.splice(0));
    if (this.#closing) {
      this.#settle(this.#waiting.splice(0));
      return;
    }
    this.#again = setTimeout(
      () =>
        this.#start(
          () => undefined,
          () => undefined,
        ),
      this.#pause,
    );
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
  }

  #settle(some: readonly QueuedRowWrite[]): void {
    for (const { done } of some) done();
    if (!this.#busy) this.#idle?.();
  }

  #send(request: WriterRequest): void {
    this.#worker?.postMessage(request);
  }

  #tell(reason: string): void {
    this.log.failed('row-not-written', { reason });
  }
}

function mergeRows(writes: readonly QueuedRowWrite[]): RowsByProjection {
  if (writes.length === 1 && writes[0]) return writes[0].rows;
  const all = new Map<ProjectionName, FlatRow[]>();
  for (const { rows } of writes) {
    for (const [projection, some] of rows) {
      const known = all.get(projection);
      if (known) known.push(...some);
      else all.set(projection, [...some]);
    }
  }
  return all;
}
