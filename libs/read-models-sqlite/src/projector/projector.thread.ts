import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import {
  type ProjectionName,
  type ReadModelsLog,
  type RebuildOptions,
  RebuildRefused,
  type RebuildResult,
} from '@tillstream/read-models';
import type { ProjectorThread } from '../read-models.options.js';
import type { ProjectorData, ProjectorReply, ProjectorRequest } from './projector.messages.js';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
const PAGE = 250;

interface PendingRebuild {
  readonly projection: ProjectionName;
  readonly onProgress: RebuildOptions['onProgress'];
  readonly resolve: (result: RebuildResult) => void;
  readonly reject: (error: unknown) => void;
}

/** The calling thread's end of a projector that runs elsewhere. A thread that dies is started again. */
export class ThreadedProjector {
  #worker: Worker | undefined;
  #stopped = false;
  #pause = FIRST_PAUSE_MS;
  #again: NodeJS.Timeout | undefined;
  #nextId = 1;
  readonly #rebuilding = new Map<number, PendingRebuild>();

  constructor(
    private readonly directory: string,
    private readonly source: string,
    private readonly thread: ProjectorThread,
    private readonly log: ReadModelsLog,
  ) {}

  /** Rejects where the module is missing or can't open the store. */
  async start(): Promise<void> {
    const { file } = this.thread;
    if (!existsSync(file))
      throw new Error(`${fileURLToPath(file)} is missing: build it first (npm run build)`);
    try {
      await new Promise<void>((resolve, reject) => this.#start(resolve, reject));
    } catch (error) {
      this.#stopped = true;
      clearTimeout(this.#again);
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#again);
    const worker = this.#worker;
    if (!worker) return;
    worker.ref();
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    this.#send({ kind: 'stop' });
    await exited;
  }

  rebuild(projection: ProjectionName, { onProgress, signal }: RebuildOptions = {}): Promise<RebuildResult> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const worker = this.#worker;
      if (!worker) throw new RebuildRefused(projection, 'the thread of projections is not running');
      const id = this.#nextId++;
      const abort = (): void => this.#send({ kind: 'abort', id });
      signal?.addEventListener('abort', abort, { once: true });
      const over = (): void => signal?.removeEventListener('abort', abort);
      this.#rebuilding.set(id, {
        projection,
        onProgress,
        resolve: (result) => (over(), resolve(result)),
        reject: (error) => (over(), reject(signal?.aborted ? signal.reason : error)),
      });
      this.#send({ kind: 'rebuild', id, projection });
    });
  }

  #start(started: () => void, failed: (error: Error) => void): void {
    const { directory, source, thread } = this;
    const data: ProjectorData = { directory, store: thread.store, source, pageSize: PAGE };
    const worker = new Worker(thread.file, { workerData: data });
    this.#worker = worker;
    let reason = 'it ended';
    worker.on('message', (reply: ProjectorReply) => {
      if (reply.kind === 'ready') {
        this.#pause = FIRST_PAUSE_MS;
        worker.unref();
        started();
      } else this.#receive(reply);
    });
    worker.on('error', (error) => (reason = error.message));
    worker.once('exit', () => {
      this.#worker = undefined;
      failed(new Error(`the thread of projections did not start: ${reason}`));
      for (const { reject } of this.#rebuilding.values()) {
        reject(new Error(`the thread of projections died: ${reason}`));
      }
      this.#rebuilding.clear();
      if (!this.#stopped) this.#restart(reason);
    });
  }

  #restart(reason: string): void {
    this.log.failed('projector-died', { reason });
    const ignore = (): void => undefined;
    this.#again = setTimeout(() => this.#start(ignore, ignore), this.#pause);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
  }

  #receive(reply: Exclude<ProjectorReply, { kind: 'ready' }>): void {
    if (reply.kind === 'log') return this.log[reply.level](reply.event, reply.fields);
    const rebuilding = this.#rebuilding.get(reply.id);
    if (reply.kind === 'progress') return rebuilding?.onProgress?.(reply.progress);
    this.#rebuilding.delete(reply.id);
    if (reply.kind === 'rebuilt') return rebuilding?.resolve(reply.result);
    const { refused, reason } = reply;
    return rebuilding?.reject(
      refused ? new RebuildRefused(rebuilding.projection, reason) : new Error(reason),
    );
  }

  #send(request: ProjectorRequest): void {
    this.#worker?.postMessage(request);
  }
}
