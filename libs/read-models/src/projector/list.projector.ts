import type { ConsumerGroup } from '@tillstream/event-consumers';
import type { EventStore } from '@tillstream/event-store';
import { PROJECTIONS } from '../projections/projection.registry.js';
import { reasonOf } from '../read-models.errors.js';
import type { ProjectionName, ReadModelsLog } from '../read-models.types.js';
import type { RebuildOptions, RebuildResult, RunningRebuild } from '../rebuild.types.js';
import { listConsumerLog } from './list.consumer-log.js';
import { ListConsumer, type ProjectedList } from './list.consumer.js';
import { ListRebuilds } from './list.rebuilds.js';
import type { Eventually } from './list.table.js';

const CLEANUP_INTERVAL_MS = 15_000;

/** A task of the leader. The interval is how soon it notices generations that need a rebuild. */
export const LIST_MAINTENANCE = { name: 'maintenance of lists', everyMs: 1_000 } as const;

/** What the group of a projector has. */
export interface ProjectorGroup {
  readonly consumers: readonly ListConsumer[];
  /** What the task `LIST_MAINTENANCE` does. */
  readonly maintain: () => Promise<'Idle'>;
  readonly log: ReturnType<typeof listConsumerLog>;
}

export interface OutdatedList {
  readonly projection: ProjectionName;
  /** The version of its rows, if they can be read. */
  readonly rowsVersion: number | undefined;
}

export interface ListProjectorParts {
  readonly store: EventStore;
  readonly log: ReadModelsLog;
  /** Events handled without a turn of the event loop. */
  readonly pageSize: number;
  /** The group of all processes that may lead, under `PROJECTOR_LEASE`. */
  readonly group: (group: ProjectorGroup) => ConsumerGroup;
  readonly listOf: (projection: ProjectionName) => ProjectedList;
  readonly rebuild: (projection: ProjectionName, options: RebuildOptions) => Promise<RebuildResult>;
  /** The lists whose live generation has to be rebuilt. */
  readonly outdated: () => Eventually<readonly OutdatedList[]>;
  /** Removes generations that are not used any more. */
  readonly cleanUp: () => Eventually<void>;
  /** Called when a rebuild begins and ends, and every second while it runs. */
  readonly onRebuilds?: ((running: readonly RunningRebuild[]) => void) | undefined;
  /** Ms of a monotonic clock. */
  readonly now: () => number;
}

/**
 * Keeps every list at the head of the store. Each list is a consumer of one group, which one process leads at a time. The
 * leader also rebuilds outdated generations, and removes unused ones.
 */
export class ListProjector {
  readonly #lists: ReadonlyMap<string, ListConsumer>;
  readonly #group: ConsumerGroup;
  readonly #rebuilds: ListRebuilds;
  #started: Promise<void> | undefined;
  #isStopped = false;
  #cleanedUpAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly parts: ListProjectorParts) {
    const { store, log, pageSize, listOf, group, rebuild, now, onRebuilds } = parts;
    this.#rebuilds = new ListRebuilds({ rebuild, log, now, ...(onRebuilds && { onChange: onRebuilds }) });
    this.#lists = new Map(
      PROJECTIONS.map((name) => [name, new ListConsumer(name, { store, list: listOf(name), log, pageSize })]),
    );
    this.#group = group({
      consumers: [...this.#lists.values()],
      maintain: () => this.#maintain(),
      log: listConsumerLog(this.#lists, log),
    });
  }

  start(): void {
    this.#started = this.#startGroup();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([this.#rebuilds.stop(), this.#group.stop(), this.#started]);
  }

  runningRebuilds(): readonly RunningRebuild[] {
    return this.#rebuilds.list();
  }

  rebuild(projection: ProjectionName, options: RebuildOptions = {}): Promise<RebuildResult> {
    return this.#rebuilds.run(projection, options);
  }

  async #startGroup(): Promise<void> {
    await this.#group.start();
    if (this.#isStopped || this.#group.leads) return;
    // Another process has the lease. It may have been killed, so this one catches up without the lease.
    try {
      await this.#group.catchUp();
    } catch (error) {
      this.parts.log.failed('projector-failed', { reason: reasonOf(error) });
    }
  }

  async #maintain(): Promise<'Idle'> {
    const { outdated, cleanUp, now } = this.parts;
    for (const { projection, rowsVersion } of await outdated()) this.#rebuilds.begin(projection, rowsVersion);
    if (now() < this.#cleanedUpAt + CLEANUP_INTERVAL_MS) return 'Idle';
    this.#cleanedUpAt = now();
    await cleanUp();
    for (const list of this.#lists.values()) {
      // The consumers use the same store and tables and report their errors.
      if (!this.#isStopped) await list.advancePastOtherCategories().catch(() => undefined);
    }
    return 'Idle';
  }
}
