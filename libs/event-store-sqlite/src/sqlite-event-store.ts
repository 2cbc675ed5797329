import {
  compareNumberedPositions,
  EventStoreError,
  APPEND_BYTES_MAX,
  CatchUpSubscription,
  serialiseAppend,
  type AllPage,
  type Append,
  type AppendResult,
  type EventStore,
  type HeadersPage,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type StoreHealth,
  type StreamPage,
  type SubscribeToAllOptions,
  type Subscriber,
  type Subscription,
} from '@tillstream/event-store';
import { errorMessage, withTimeout } from '@tillstream/runtime';
import { ReadQueue } from '@tillstream/sqlite-driver';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { CommitNotifier } from './reader/commit-notifier.js';
import type { EventReader } from './reader/event-reader.js';
import { PROBE } from './schema.js';
import type { SqlValue, WriteStep, WriteUnitResult } from './writer/write-unit.js';
import type { SerialisedStep } from './writer/writer.messages.js';
import type { WriterThread } from './writer/writer-thread.js';

const PROBE_TIMEOUT_MS = 2000;
/** After a successful write within this time `health` needs no probe. */
const RECENT_WRITE_MS_MAX = 1000;
/** Room for the largest append in the write-ahead log and in the file. A probe is small and may succeed without it. */
const FREE_DISK_BYTES_MIN = 4 * APPEND_BYTES_MAX;

/**
 * The embedded store: one SQLite file. A thread writes it in groups of units; the calling thread reads it in pages. Several
 * processes may open one file. `openSqliteEventStore` opens it.
 */
export class SqliteEventStore implements EventStore {
  readonly #subscriptions = new Set<CatchUpSubscription>();
  readonly #readings: ReadQueue;
  readonly comparePositions = compareNumberedPositions;
  #lastWrite: { readonly at: number; readonly failure?: string } | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    private readonly file: string,
    private readonly reader: EventReader,
    /** Undefined: the store is read-only. */
    private readonly writer: WriterThread | undefined,
    private readonly commits: CommitNotifier,
  ) {
    this.#readings = new ReadQueue(
      (work) => reader.streams.inSnapshot(work),
      async (work) => work(),
    );
  }

  async append(append: Append): Promise<AppendResult> {
    const { stream, expected, events, bytes } = serialiseAppend(append);
    const result = await this.#write([{ kind: 'append', stream, expected, events }], bytes);
    if (result.kind === 'Done') {
      const appended = result.steps[0];
      if (appended?.kind === 'Appended') return appended;
    } else if (result.because.kind === 'Conflict') return result.because;
    throw new EventStoreError('Unknown', 'the writer returned an unexpected result');
  }

  /** Commits all steps of a unit, or none. Rejects as `append` does, and with `Invalid` if SQLite refuses a statement. */
  async execute(steps: readonly WriteStep[]): Promise<WriteUnitResult> {
    let unitBytes = 0;
    const unit = steps.map((step): SerialisedStep => {
      if (step.kind === 'run') {
        const { sql, params = [], mustChange = false } = step;
        for (const param of params) unitBytes += typeof param === 'string' ? param.length : 8;
        return { kind: 'run', sql, params, mustChange };
      }
      const { stream, expected, events, bytes } = serialiseAppend(step.append);
      unitBytes += bytes;
      return { kind: 'append', stream, expected, events };
    });
    return this.#write(unit, unitBytes);
  }

  /**
   * Updates a companion's tables in the same file: runs the steps that the file has not had yet, in order. Released steps
   * never change; new ones are added at the end. Table names begin with the companion's name.
   */
  async migrate(name: string, steps: readonly string[]): Promise<void> {
    await this.#writer().migrate({ name, steps });
  }

  /** The rows of one SELECT. It sees everything that was committed before. */
  query<Row>(sql: string, params: readonly SqlValue[] = []): readonly Row[] {
    return this.reader.streams.query<Row>(sql, params);
  }

  /** Whether the file is writable now. Without a recent write it checks the free disk space and makes a probe write. */
  async health(): Promise<StoreHealth> {
    const last = this.#lastWrite;
    if (last !== undefined && last.failure === undefined && performance.now() - last.at < RECENT_WRITE_MS_MAX)
      return { writable: true };
    try {
      await withTimeout(PROBE_TIMEOUT_MS, 'the probe write', this.#probe());
      return { writable: true };
    } catch (error) {
      return { writable: false, reason: errorMessage(error) };
    }
  }

  readStream(stream: string, options: ReadStreamOptions = {}): Promise<StreamPage> {
    return this.#readings.run(() => this.reader.readStream(stream, options));
  }

  // Async functions without an await: an error that they throw must become a rejection.
  async readAll(options: ReadAllOptions = {}): Promise<AllPage> {
    return this.reader.readAll(options);
  }

  async readHeaders(options: ReadAllOptions = {}): Promise<HeadersPage> {
    return this.reader.readHeaders(options);
  }

  async head(): Promise<Position | undefined> {
    return this.reader.head();
  }

  onAppended(listener: () => void): () => void {
    return this.commits.listen(listener);
  }

  subscribeToAll(options: SubscribeToAllOptions, subscriber: Subscriber): Subscription {
    const read = (page: ReadAllOptions): Promise<AllPage> => this.readAll(page);
    const subscription = new CatchUpSubscription(read, this.commits, options, subscriber);
    this.#subscriptions.add(subscription);
    void subscription.ended.finally(() => this.#subscriptions.delete(subscription));
    return subscription;
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.stop()));
    this.commits.close();
    await this.writer?.close();
    this.#readings.flush();
    this.reader.close();
  }

  async #write(unit: readonly SerialisedStep[], bytes: number): Promise<WriteUnitResult> {
    try {
      const result = await this.#writer().execute(unit, bytes);
      if (result.kind === 'Done') this.#lastWrite = { at: performance.now() };
      return result;
    } catch (error) {
      if (error instanceof EventStoreError && (error.code === 'Unavailable' || error.code === 'Unknown')) {
        this.#lastWrite = { at: performance.now(), failure: error.message };
      }
      throw error;
    }
  }

  async #probe(): Promise<void> {
    const { bavail, bsize } = await statfs(dirname(resolve(this.file)));
    if (bavail * bsize < FREE_DISK_BYTES_MIN) {
      throw new EventStoreError('Unavailable', `less than ${FREE_DISK_BYTES_MIN} bytes are free on the disk`);
    }
    await this.#write([{ kind: 'run', sql: PROBE, params: [], mustChange: true }], 0);
  }

  #writer(): WriterThread {
    if (this.writer === undefined) throw new EventStoreError('Unavailable', 'the store is open to read only');
    return this.writer;
  }
}
