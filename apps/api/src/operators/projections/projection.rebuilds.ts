import type { OperatorContext } from '@tillstream/payments';
import type { Log } from '@tillstream/platform';
import {
  PROJECTIONS,
  RebuildRefused,
  type ProjectionName,
  type ProjectionStatus,
  type ReadModels,
} from '@tillstream/read-models';
import { errorMessage } from '@tillstream/runtime';

/** The first progress of a rebuild shows that it has started. After this time it counts as started. */
const STARTS_WITHIN_MS = 2_000;
const STOPPING = 'the service stops';

/** The projections for operators, and their rebuild (`docs/spec/service.md#projections`). */
export class RebuildingProjections {
  private readonly running = new Map<ProjectionName, Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly readModels: Pick<ReadModels, 'status' | 'rebuild'>,
    private readonly log: Log,
    /** Durable before a rebuild begins. */
    private readonly record: (operator: OperatorContext, name: ProjectionName) => Promise<void>,
  ) {}

  list(): Promise<readonly ProjectionStatus[]> {
    return this.readModels.status();
  }

  /**
   * Resolves with the projection once the rebuild has started; it goes on in the background. Undefined: there is no
   * projection of this name. Rejects with `RebuildRefused` if a rebuild is running.
   */
  async startRebuild(name: string, operator: OperatorContext): Promise<ProjectionStatus | undefined> {
    if (!isProjection(name)) return undefined;
    if (this.stopping.signal.aborted) throw new RebuildRefused(name, STOPPING);
    if (this.running.has(name)) throw alreadyRunning(name);
    let hasStarted = false;
    let timer: NodeJS.Timeout | undefined;
    const starting = new Promise<void>((resolve) => {
      const onProgress = (): void => {
        hasStarted = true;
        resolve();
      };
      timer = setTimeout(onProgress, STARTS_WITHIN_MS);
      const done = this.rebuild(name, operator, onProgress).finally(() => this.running.delete(name));
      const logged = done.catch((error: unknown) => {
        if (hasStarted) this.failed(name, error);
        else resolve(Promise.reject(error));
      });
      this.running.set(name, logged);
    });
    await starting.finally(() => clearTimeout(timer));
    this.log.info('rebuild-began', { projection: name });
    const started = await this.one(name);
    // The rebuild of a short history may have ended; the response shows the rebuild that was requested.
    return started && { ...started, status: 'Rebuilding' };
  }

  /** Stops the rebuilds that it started and waits for their end; the live lists stay. */
  async stop(): Promise<void> {
    this.stopping.abort(new Error(STOPPING));
    await Promise.all(this.running.values());
  }

  private async one(name: ProjectionName): Promise<ProjectionStatus | undefined> {
    return (await this.list()).find((projection) => projection.name === name);
  }

  private async rebuild(
    name: ProjectionName,
    operator: OperatorContext,
    onProgress: () => void,
  ): Promise<void> {
    // It may run in another process. A rebuild that starts after this check is refused by `rebuild`.
    if ((await this.one(name))?.status === 'Rebuilding') throw alreadyRunning(name);
    await this.record(operator, name);
    const { signal } = this.stopping;
    const { events, rows } = await this.readModels.rebuild(name, { signal, onProgress });
    onProgress();
    this.log.info('rebuild-ended', { projection: name, events, rows });
  }

  private failed(name: ProjectionName, error: unknown): void {
    const reason = errorMessage(error);
    if (this.stopping.signal.aborted) this.log.info('rebuild-stopped', { projection: name });
    else this.log.error('rebuild-failed', { projection: name, reason });
  }
}

function isProjection(name: string): name is ProjectionName {
  return (PROJECTIONS as readonly string[]).includes(name);
}

function alreadyRunning(name: ProjectionName): RebuildRefused {
  return new RebuildRefused(name, 'another rebuild of it is running');
}
