import { ConsumerGroup, LeadingTask } from '@tillstream/event-consumers';
import type { EventStore } from '@tillstream/event-store';
import {
  isOutdated,
  LIST_MAINTENANCE,
  ListProjector,
  type OutdatedList,
  PROJECTIONS,
  PROJECTOR_LEASE,
  type ProjectionName,
  type ReadModelsLog,
  type RebuildOptions,
  type RebuildResult,
  type RunningRebuild,
} from '@tillstream/read-models';
import { ControlDatabase } from '../generations/control.database.js';
import { cleanUpGenerations } from '../generations/generation.build.js';
import { OpenGenerations } from '../generations/open.generations.js';
import { SqliteLeases } from '../generations/sqlite.leases.js';
import { WalCheckpointer } from '../generations/wal.checkpointer.js';
import { rebuild } from './rebuild.js';
import { SqliteList } from './sqlite.list.js';

export interface ProjectorOptions {
  readonly directory: string;
  readonly store: EventStore;
  readonly source: string;
  readonly log: ReadModelsLog;
  /** Events handled without a turn of the event loop. */
  readonly pageSize: number;
  /** Called when a rebuild begins and ends, and every second while it runs. */
  readonly onRebuilds?: (running: readonly RunningRebuild[]) => void;
}

/** The projector of lists in SQLite. It also rebuilds damaged generations, and checkpoints the WALs. */
export class Projector {
  readonly #control: ControlDatabase;
  readonly #open: OpenGenerations;
  readonly #checkpointer: WalCheckpointer;
  readonly #projector: ListProjector;

  constructor(private readonly options: ProjectorOptions) {
    const { directory, source, store, log, pageSize, onRebuilds } = options;
    const control = (this.#control = new ControlDatabase(directory, source, log));
    const open = (this.#open = new OpenGenerations(control));
    this.#checkpointer = new WalCheckpointer(open);
    this.#projector = new ListProjector({
      ...{ store, log, pageSize, onRebuilds },
      group: ({ consumers, maintain, log: groupLog }) =>
        new ConsumerGroup({
          ...{ store, consumers, lease: PROJECTOR_LEASE, log: groupLog },
          leases: new SqliteLeases(control),
          tasks: [new LeadingTask({ ...LIST_MAINTENANCE, run: maintain }, groupLog)],
        }),
      listOf: (name) => new SqliteList(name, control, open),
      rebuild: (projection, running) => rebuild({ store, control, pageSize }, projection, running),
      outdated: () => this.#outdated(),
      cleanUp: () => cleanUpGenerations(control),
      now: () => performance.now(),
    });
  }

  start(): void {
    this.#projector.start();
    this.#checkpointer.start();
  }

  async stop(): Promise<void> {
    this.#checkpointer.stop();
    await this.#projector.stop();
    this.#open.close();
    this.#control.close();
  }

  runningRebuilds(): readonly RunningRebuild[] {
    return this.#projector.runningRebuilds();
  }

  rebuild(projection: ProjectionName, options: RebuildOptions = {}): Promise<RebuildResult> {
    return this.#projector.rebuild(projection, options);
  }

  #outdated(): readonly OutdatedList[] {
    return PROJECTIONS.flatMap((projection) => {
      const live = this.#control.live(projection);
      const isNeeded = live ? isOutdated(live, this.options.source) : this.#control.isDamaged(projection);
      return isNeeded ? [{ projection, rowsVersion: live?.rowsVersion }] : [];
    });
  }
}
