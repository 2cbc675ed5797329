import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { FlatRow, ProjectionName } from '@tillstream/read-models';
import type { Advance } from '../tables/progress.js';
import { flattenRows, type FlatRows } from '../writer/row.wire.js';

/** The compiled file, next to this one or to its source. */
const WORKER = new URL('../../dist/projector/bundled/bulk.worker.js', import.meta.url);
const IN_FLIGHT = 4;

export interface BulkData {
  readonly file: string;
  readonly projection: ProjectionName;
}

export type BulkRequest =
  | { readonly kind: 'rows'; readonly rows: FlatRows }
  | {
      readonly kind: 'finish';
      /** From the beginning; nothing of an empty store. */
      readonly step: Advance | undefined;
    };

export type BulkReply =
  | { readonly kind: 'written' }
  /** One more of its indexes. */
  | { readonly kind: 'indexed' }
  | { readonly kind: 'finished' };

/**
 * Writes a new generation in a thread of its own, while the calling thread folds: both cores work, and the seconds that
 * indexes take block nobody. Anything that goes wrong rejects what is awaited next.
 */
export class BulkLoad {
  readonly #worker: Worker;
  #inFlight = 0;
  #failure: { readonly error: unknown } | undefined;
  #finished = false;
  #indexed: () => void = () => undefined;
  #changed: () => void = () => undefined;

  constructor(
    file: string,
    private readonly projection: ProjectionName,
  ) {
    if (!existsSync(WORKER)) {
      throw new Error(`${fileURLToPath(WORKER)} is missing: build read-models first (npm run build)`);
    }
    const workerData: BulkData = { file, projection };
    this.#worker = new Worker(WORKER, { workerData });
    this.#worker.on('message', (reply: BulkReply) => {
      if (reply.kind === 'written') this.#inFlight -= 1;
      else if (reply.kind === 'finished') this.#finished = true;
      else this.#tellIndexed();
      this.#changed();
    });
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.once('exit', () => this.#fail(new Error('the thread that fills new tables ended')));
  }

  /** Resolves when there is room for more. */
  async write(rows: readonly FlatRow[]): Promise<void> {
    if (rows.length === 0) return;
    this.#inFlight += 1;
    this.#worker.postMessage({ kind: 'rows', rows: flattenRows(new Map([[this.projection, rows]])) });
    await this.#until(() => this.#inFlight < IN_FLIGHT);
  }

  /** Resolves when everything is safe on the disk, and the thread has let go of the file. */
  async finish(step: Advance | undefined, indexed: () => void): Promise<void> {
    this.#indexed = indexed;
    this.#worker.postMessage({ kind: 'finish', step });
    await this.#until(() => this.#finished);
  }

  /** Whatever it was doing. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  /** What it throws (told to stop, lost its lease) ends the load, not the process. */
  #tellIndexed(): void {
    try {
      this.#indexed();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (!this.#finished) this.#failure ??= { error };
    this.#changed();
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.#failure) throw this.#failure.error;
      await new Promise<void>((resolve) => (this.#changed = resolve));
    }
  }
}
