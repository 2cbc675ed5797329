import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Backoff, type BackoffLimits } from './backoff.js';

/** The first message of a worker. After `unready` the worker ends itself. */
export type WorkerStart<StartFailure> =
  { readonly kind: 'ready' } | { readonly kind: 'unready'; readonly failure: StartFailure };

export interface WorkerHostOptions<Reply, StartFailure> extends BackoffLimits {
  /** The subject of error messages: `the event writer`. */
  readonly name: string;
  /** The compiled module. */
  readonly file: URL;
  readonly workerData: unknown;
  /** Called after the first start and after each restart. */
  readonly onReady: () => void;
  readonly onReply: (reply: Reply) => void;
  /** Called each time the thread ends, also after `stop`. Requests in flight get no reply. */
  readonly onExit: (exit: WorkerExit) => void;
  /** Makes an error of an `unready` message. */
  readonly startError: (failure: StartFailure) => Error;
}

export interface WorkerExit {
  /** Why the thread ended, in one sentence. */
  readonly reason: string;
  /** False: the thread ended before it could take requests. */
  readonly wasReady: boolean;
}

/** The thread ended during its first start and sent neither `ready` nor `unready`. */
export class WorkerStartError extends Error {
  override readonly name = 'WorkerStartError';
}

/**
 * Runs a module in a thread, and restarts the thread when it dies. A ready thread does not keep the process alive: the
 * owner calls `ref` when it sends a request, and `unref` when it has all replies.
 */
export class WorkerHost<Request, Reply extends { readonly kind: string }, StartFailure = string> {
  #worker: Worker | undefined;
  #isReady = false;
  #isStopping = false;
  #restart: NodeJS.Timeout | undefined;
  readonly #backoff: Backoff;

  private constructor(private readonly options: WorkerHostOptions<Reply, StartFailure>) {
    this.#backoff = new Backoff(options);
  }

  /**
   * Rejects if the module is missing or the first start fails; the host then makes no further attempt. The error is
   * that of `startError`, or a `WorkerStartError`.
   */
  static async start<Request, Reply extends { readonly kind: string }, StartFailure = string>(
    options: WorkerHostOptions<Reply, StartFailure>,
  ): Promise<WorkerHost<Request, Reply, StartFailure>> {
    if (!existsSync(options.file)) {
      throw new Error(`${fileURLToPath(options.file)} is missing: build it first (npm run build)`);
    }
    const host = new WorkerHost<Request, Reply, StartFailure>(options);
    try {
      await new Promise<void>((resolve, reject) => host.#start(resolve, reject));
    } catch (error) {
      host.#isStopping = true;
      clearTimeout(host.#restart);
      throw error;
    }
    return host;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** False between the end of a thread and its restart, and after `stop`. */
  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  /** Does nothing while no thread runs: the owner knows it from `onExit`. */
  post(request: Request): void {
    this.#worker?.postMessage(request);
  }

  ref(): void {
    this.#worker?.ref();
  }

  unref(): void {
    this.#worker?.unref();
  }

  /** Sends the last request, and resolves when the thread has ended. The host does not restart it. */
  async stop(lastRequest: Request): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restart);
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.ref();
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage(lastRequest);
    await exited;
  }

  #start(onStarted: () => void, onStartFailed: (error: Error) => void): void {
    const { name, file, workerData, onReply, onReady, onExit, startError } = this.options;
    const worker = new Worker(file, { workerData });
    this.#worker = worker;
    let reason = 'it ended';
    worker.on('message', (message: WorkerStart<StartFailure> | Reply) => {
      if (!isStart(message)) return onReply(message);
      if (message.kind === 'unready') {
        const error = startError(message.failure);
        reason = error.message;
        return onStartFailed(error);
      }
      this.#isReady = true;
      this.#backoff.reset();
      worker.unref();
      onStarted();
      return onReady();
    });
    worker.on('error', (error) => (reason = error.message));
    worker.once('exit', () => {
      const wasReady = this.#isReady;
      this.#worker = undefined;
      this.#isReady = false;
      onStartFailed(new WorkerStartError(`${name} did not start: ${reason}`));
      onExit({ reason, wasReady });
      if (!this.#isStopping) this.#scheduleRestart();
    });
  }

  #scheduleRestart(): void {
    const ignore = (): void => undefined;
    this.#restart = setTimeout(() => this.#start(ignore, ignore), this.#backoff.next());
  }
}

const isStart = <StartFailure>(message: { readonly kind: string }): message is WorkerStart<StartFailure> =>
  message.kind === 'ready' || message.kind === 'unready';
