import { ConsumerGroup, LeadingTask, type ConsumerLog, type Leases } from '@tillstream/event-consumers';
import type { EventStore } from '@tillstream/event-store';
import { PROJECTOR_LEASE } from '../batch.queries.types.js';
import { errorText } from '../error-text.js';
import { PROJECTIONS, tableShape } from '../projections/projection.registry.js';
import type { ProjectionName, ReadModelsLog } from '../read-models.types.js';
import type { RebuildOptions, RebuildResult, RunningRebuild } from '../rebuild.types.js';
import { ListConsumer, type ProjectedList } from './list.consumer.js';
import type { Eventually } from './list.table.js';
import { RunningRebuilds } from './running.rebuilds.js';

/** A list whose live generation has to be replaced. */
export interface OutdatedList {
  readonly projection: ProjectionName;
  /** Of the live generation; undefined if that is damaged. */
  readonly rowsVersion?: number;
}

/** The generations of all lists, for the projector. */
export interface ProjectedGenerations {
  list(projection: ProjectionName): ProjectedList;
  outdated(): Eventually<readonly OutdatedList[]>;
  /** Builds a new generation beside the live one, and makes it live. */
  rebuild(projection: ProjectionName, options: RebuildOptions): Promise<RebuildResult>;
  /** Removes retired generations, and those whose builder died. */
  cleanUp(): Eventually<void>;
}

export interface ProjectorParts {
  readonly store: EventStore;
  readonly generations: ProjectedGenerations;
  readonly leases: Leases;
  readonly log: ReadModelsLog;
  /** Ms of a monotonic clock. */
  readonly now: () => number;
  /** Events handled without a turn of the event loop. */
  readonly pageSize: number;
  /** Called when a rebuild begins and ends, and every second while it runs. */
  readonly onRebuilds?: (running: readonly RunningRebuild[]) => void;
}

/** How soon the leader notices generations that need a rebuild. */
const MAINTENANCE_INTERVAL_MS = 1_000;
const CLEANUP_INTERVAL_MS = 15_000;
const REBUILD_RETRY_MS = 10_000;

/**
 * Keeps every list at the head of the store. Each list is a consumer of one group, which one process leads at a time. The
 * leader also rebuilds outdated and damaged generations, and removes unused ones.
 */
export class Projector {
  readonly #lists: ReadonlyMap<string, ListConsumer>;
  readonly #group: ConsumerGroup;
  readonly #rebuilds: RunningRebuilds;
  /** When to try a failed rebuild again, by `now`. */
  readonly #retryAt = new Map<ProjectionName, number>();
  readonly #background = new Set<Promise<unknown>>();
  #isStopped = false;
  #cleanedUpAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: ProjectorParts) {
    const { store, generations, leases, log, now, pageSize, onRebuilds: onChange } = parts;
    this.#rebuilds = new RunningRebuilds({ log, now, ...(onChange && { onChange }) });
    const consumerOf = (name: ProjectionName): ListConsumer =>
      new ListConsumer(name, { store, list: generations.list(name), log, pageSize });
    this.#lists = new Map(PROJECTIONS.map((name) => [name, consumerOf(name)]));
    const consumerLog = this.#consumerLog();
    const maintenance = new LeadingTask(
      { name: 'maintenance of lists', everyMs: MAINTENANCE_INTERVAL_MS, run: () => this.#maintain() },
      consumerLog,
    );
    this.#group = new ConsumerGroup({
      ...{ store, leases, lease: PROJECTOR_LEASE },
      ...{ consumers: [...this.#lists.values()], tasks: [maintenance], log: consumerLog },
    });
  }

  start(): void {
    this.#runInBackground(this.#startGroup());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#rebuilds.abortAll();
    await this.#group.stop();
    await Promise.allSettled(this.#background);
  }

  runningRebuilds(): readonly RunningRebuild[] {
    return this.#rebuilds.list();
  }

  /** Rejects with `RebuildRefused` while another rebuild of the list is running. */
  async rebuild(projection: ProjectionName, options: RebuildOptions = {}): Promise<RebuildResult> {
    const { generations } = this.parts;
    const result = this.#rebuilds.run(projection, options, (running) =>
      generations.rebuild(projection, running),
    );
    this.#runInBackground(result);
    return result;
  }

  async #startGroup(): Promise<void> {
    await this.#group.start();
    if (this.#isStopped || this.#group.leads) return;
    // Another process has the lease. It may have been killed, so this one catches up without the lease.
    try {
      await this.#group.catchUp();
    } catch (error) {
      this.#logFailed('projector-failed', error);
    }
  }

  async #maintain(): Promise<'Idle'> {
    const { generations, now } = this.parts;
    for (const list of await generations.outdated()) this.#rebuildOutdated(list);
    if (now() < this.#cleanedUpAt + CLEANUP_INTERVAL_MS) return 'Idle';
    this.#cleanedUpAt = now();
    await generations.cleanUp();
    for (const list of this.#lists.values()) {
      // The consumers use the same store and tables and report their errors.
      if (!this.#isStopped) await list.advancePastOtherCategories().catch(() => undefined);
    }
    return 'Idle';
  }

  #rebuildOutdated({ projection, rowsVersion: from }: OutdatedList): void {
    if (this.#isStopped || this.#rebuilds.has(projection)) return;
    if ((this.#retryAt.get(projection) ?? Number.NEGATIVE_INFINITY) > this.parts.now()) return;
    const versions = { ...(from !== undefined && { from }), to: tableShape(projection).rowsVersion };
    this.parts.log.info('rebuild-began', { projection, ...versions });
    this.#runInBackground(this.#rebuildAndLog(projection));
  }

  async #rebuildAndLog(projection: ProjectionName): Promise<void> {
    try {
      const { events, rows, durationMs } = await this.rebuild(projection);
      const fields = { projection, events, rows, durationMs: Math.round(durationMs) };
      this.parts.log.info('rebuild-ended', fields);
    } catch (error) {
      if (this.#isStopped) return;
      this.#retryAt.set(projection, this.parts.now() + REBUILD_RETRY_MS);
      this.#logFailed('rebuild-failed', error, { projection });
    }
  }

  #consumerLog(): ConsumerLog {
    const { log } = this.parts;
    return {
      halted: (name, reason) => {
        const recorded = this.#lists.get(name)?.recordHalt(reason);
        recorded?.catch((error: unknown) => this.#logFailed('projector-failed', error));
      },
      failing: (name, reason) => {
        if (this.#lists.has(name)) log.failed('projection-failed', { projection: name, reason });
        else log.failed('projector-failed', { reason });
      },
      // The list itself logs both, also after a halt in another process.
      recovered: () => undefined,
      wasReset: () => undefined,
    };
  }

  #runInBackground(work: Promise<unknown>): void {
    this.#background.add(work);
    const forget = (): void => void this.#background.delete(work);
    work.then(forget, forget);
  }

  #logFailed(event: string, error: unknown, fields: Readonly<Record<string, unknown>> = {}): void {
    this.parts.log.failed(event, { ...fields, reason: errorText(error) });
  }
}
