import {
  isOutdated,
  PROJECTIONS,
  Projector,
  type OutdatedList,
  type ProjectionName,
  type ProjectorParts,
  type RebuildOptions,
  type RebuildResult,
  type RunningRebuild,
} from '@tillstream/read-models';
import { cleanUpGenerations } from '../generations/generation.build.js';
import { ControlDatabase } from '../generations/control.database.js';
import { OpenGenerations } from '../generations/open.generations.js';
import { SqliteLeases } from '../generations/sqlite.leases.js';
import { WalCheckpointer } from '../generations/wal.checkpointer.js';
import { rebuild } from './rebuild.js';
import { SqliteList } from './sqlite.list.js';

export interface SqliteProjectorOptions extends Omit<ProjectorParts, 'generations' | 'leases' | 'now'> {
  readonly directory: string;
  /** The name of the event store. */
  readonly source: string;
}

/** The projector of a directory, with connections of its own. */
export class SqliteProjector {
  readonly #control: ControlDatabase;
  readonly #open: OpenGenerations;
  readonly #checkpointer: WalCheckpointer;
  readonly #projector: Projector;

  constructor({ directory, source, ...parts }: SqliteProjectorOptions) {
    const { log, store, pageSize } = parts;
    const control = new ControlDatabase(directory, source, log);
    const open = new OpenGenerations(control);
    this.#control = control;
    this.#open = open;
    this.#checkpointer = new WalCheckpointer(open);
    this.#projector = new Projector({
      ...parts,
      leases: new SqliteLeases(control),
      now: () => performance.now(),
      generations: {
        list: (projection) => new SqliteList(projection, control, open),
        outdated: () => outdatedLists(control, source),
        rebuild: (projection, options) => rebuild({ store, control, pageSize }, projection, options),
        cleanUp: () => cleanUpGenerations(control),
      },
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
}

function outdatedLists(control: ControlDatabase, source: string): OutdatedList[] {
  return PROJECTIONS.flatMap((projection): OutdatedList[] => {
    const live = control.live(projection);
    if (!live) return control.isDamaged(projection) ? [{ projection }] : [];
    return isOutdated(live, source) ? [{ projection, rowsVersion: live.rowsVersion }] : [];
  });
}
