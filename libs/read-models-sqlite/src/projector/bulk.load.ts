import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Advance, BulkWriter, TableRow, ProjectionName } from '@tillstream/read-models';

/** The compiled file, next to this one or to its source. */
const WORKER = new URL('../../dist/bundled/bulk.worker.js', import.meta.url);
/** Pages of rows that the thread has not written yet. */
const PAGES_IN_FLIGHT_MAX = 2;

export interface BulkData {
  readonly file: string;
  readonly projection: ProjectionName;
}

/** One page of rows, or at the end the step from the beginning of the store to its head; undefined if the store is empty. */
export type BulkRequest = { readonly rows: readonly TableRow[] } | { readonly finish: Advance | undefined };

/** `indexed`: one index was created. */
export type BulkReply = 'written' | 'indexed' | 'finished';

/**
 * Writes a new generation in its own thread, while the calling thread folds: so both cores work, and creating indexes, which
 * takes seconds, blocks no other work. After an error the next call rejects with it. The thread is not restarted: its
 * file is lost with it.
 */
export class BulkLoad implements BulkWriter {
  readonly #worker: Worker;
  #pagesInFlight = 0;
  #failure: { readonly error: unknown } | undefined;
  #isFinished = false;
  #onChange: () => void = () => undefined;

  /** @param onIndexed called after each index; its error ends the load */
  constructor(
    file: string,
    projection: ProjectionName,
    private readonly onIndexed: () => void = () => undefined,
  ) {
    if (!existsSync(WORKER)) {
      throw new Error(`${fileURLToPath(WORKER)} is missing: build it first (npm run build)`);
    }
    const workerData: BulkData = { file, projection };
    this.#worker = new Worker(WORKER, { workerData });
    this.#worker.on('message', (reply: BulkReply) => this.#handleReply(reply));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.once('exit', () => this.#fail(new Error('the thread that fills new tables ended')));
  }

  async write(rows: readonly TableRow[]): Promise<void> {
    if (rows.length === 0) return;
    this.#pagesInFlight += 1;
    this.#worker.postMessage({ rows } satisfies BulkRequest);
    await this.#until(() => this.#pagesInFlight < PAGES_IN_FLIGHT_MAX);
  }

  /** The thread has then closed the file. */
  async finish(step: Advance | undefined): Promise<void> {
    this.#worker.postMessage({ finish: step } satisfies BulkRequest);
    await this.#until(() => this.#isFinished);
  }

  /** Ends the thread, whether it has finished or not. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #handleReply(reply: BulkReply): void {
    if (reply === 'written') this.#pagesInFlight -= 1;
    else if (reply === 'finished') this.#isFinished = true;
    else {
      try {
        this.onIndexed();
      } catch (error) {
        this.#fail(error);
      }
    }
    this.#onChange();
  }

  #fail(error: unknown): void {
    if (!this.#isFinished) this.#failure ??= { error };
    this.#onChange();
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#failure) throw this.#failure.error;
      await new Promise<void>((resolve) => (this.#onChange = resolve));
    }
  }
}
