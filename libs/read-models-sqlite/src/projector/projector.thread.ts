import {
  type ProjectionName,
  type RebuildOptions,
  RebuildRefused,
  type RebuildResult,
  type RunningRebuild,
} from '@tillstream/read-models';
import { WorkerHost } from '@tillstream/runtime';
import type { ProjectorOptions } from './projector.js';
import type { ProjectorData, ProjectorReply, ProjectorRequest } from './serve-projector.js';

const NAME = 'the thread of projections';
const PAGE_EVENTS = 250;

/** A store can't be passed to a thread, so the thread opens its own. */
export interface ProjectorThread {
  /** The built file of a module that does nothing but call `serveProjector(open)`. */
  readonly file: URL;
  /** Passed to that module's `open`: where the store is. Must be cloneable. */
  readonly store: unknown;
}

interface PendingRebuild {
  readonly projection: ProjectionName;
  readonly onProgress: RebuildOptions['onProgress'];
  readonly resolve: (result: RebuildResult) => void;
  readonly reject: (error: unknown) => void;
}

type Host = WorkerHost<ProjectorRequest, ProjectorReply, never>;

/** A projector that runs in another thread, seen from the calling thread. */
export class ThreadedProjector {
  #starting: Promise<Host> | undefined;
  #host: Host | undefined;
  #isStopping = false;
  #nextId = 1;
  readonly #rebuilds = new Map<number, PendingRebuild>();
  #running: readonly RunningRebuild[] = [];

  constructor(
    private readonly options: Pick<ProjectorOptions, 'directory' | 'source' | 'log'>,
    private readonly thread: ProjectorThread,
  ) {}

  /** Rejects if the module is missing or can't open the store. */
  async start(): Promise<void> {
    const { directory, source } = this.options;
    const { file, store } = this.thread;
    const workerData: ProjectorData = { directory, store, source, pageSize: PAGE_EVENTS };
    this.#starting = WorkerHost.start<ProjectorRequest, ProjectorReply, never>({
      name: NAME,
      file,
      workerData,
      firstPauseMs: 100,
      longestPauseMs: 10_000,
      onReady: () => undefined,
      onReply: (reply) => this.#handleReply(reply),
      onExit: ({ reason }) => this.#handleExit(reason),
      startError: (failure) => failure,
    });
    this.#host = await this.#starting;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const host = await this.#starting?.catch(() => undefined);
    await host?.stop({ kind: 'stop' });
  }

  runningRebuilds(): readonly RunningRebuild[] {
    return this.#running;
  }

  rebuild(projection: ProjectionName, { onProgress, signal }: RebuildOptions = {}): Promise<RebuildResult> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const host = this.#host;
      if (!host?.isReady) throw new RebuildRefused(projection, `${NAME} is not running`);
      const id = this.#nextId++;
      const abort = (): void => host.post({ kind: 'abort', id });
      const settle = (): void => {
        this.#rebuilds.delete(id);
        signal?.removeEventListener('abort', abort);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#rebuilds.set(id, {
        projection,
        onProgress,
        resolve: (result) => (settle(), resolve(result)),
        reject: (error) => (settle(), reject(signal?.aborted ? signal.reason : error)),
      });
      host.post({ kind: 'rebuild', id, projection });
    });
  }

  #handleExit(reason: string): void {
    this.#running = [];
    for (const { reject } of this.#rebuilds.values()) reject(new Error(`${NAME} died: ${reason}`));
    if (!this.#isStopping) this.options.log.failed('projector-died', { reason });
  }

  #handleReply(reply: ProjectorReply): void {
    if (reply.kind === 'log') return this.options.log[reply.level](...reply.entry);
    if (reply.kind === 'running') {
      this.#running = reply.rebuilds;
      return;
    }
    const rebuild = this.#rebuilds.get(reply.id);
    if (reply.kind === 'progress') return rebuild?.onProgress?.(reply.progress);
    if (reply.kind === 'rebuilt') return rebuild?.resolve(reply.result);
    const { refused, reason } = reply;
    return rebuild?.reject(refused ? new RebuildRefused(rebuild.projection, reason) : new Error(reason));
  }
}
