import { setTimeout } from 'node:timers/promises';
import type { EventStore, Position } from '@tillstream/event-store';
import {
  BatchRowQueries,
  createQueries,
  ListStatus,
  PROJECTIONS,
  RowWriteThrough,
  tableShape,
  type CheckResult,
  type ListState,
  type ProjectionName,
  type ProjectionStatus,
  type ReadModels,
  type ReadModelsLog,
  type ReadModelWriter,
  type RebuildOptions,
  type RebuildResult,
  type RunningRebuild,
} from '@tillstream/read-models';
import { findListDamage, setDamagedLiveAside } from './damage/damage.detection.js';
import { ControlDatabase } from './generations/control.database.js';
import { buildLease } from './generations/generation.build.js';
import { SqliteLeases } from './generations/sqlite.leases.js';
import { checkProjection } from './projector/projection.check.js';
import { Projector } from './projector/projector.js';
import { ThreadedProjector, type ProjectorThread } from './projector/projector.thread.js';
import { LiveReader } from './queries/live.reader.js';
import { sqliteRanges } from './queries/merged-ranges.query.js';
import { GenerationFile } from './tables/generation.file.js';
import { RowWriterThread } from './writer/row.writer.thread.js';

/** On the calling thread, a page blocks the event loop for a few ms. */
const PAGE_EVENTS_ON_THIS_THREAD = 50;
const PAGE_EVENTS_IN_COMMAND = 500;
const POLL_INTERVAL_MS = 20;

export interface ReadModelsOptions {
  /** The directory of the lists, such as `<data dir>/read-models`, on a local disk. Created if it is missing. */
  readonly directory: string;
  readonly store: EventStore;
  /** The name of the store: lists that were made from another store are rebuilt. Default: always the same name. */
  readonly source?: string;
  /** Where projections run. Default: on the calling thread, in small pages. */
  readonly projectorThread?: ProjectorThread;
  readonly log?: ReadModelsLog;
  /** For commands that only read: queries on damaged files reject. Default: they are set aside, and their lists are rebuilt. */
  readonly keepDamaged?: boolean;
}

const DEFAULTS = {
  source: '',
  log: { info: () => undefined, warn: () => undefined, failed: () => undefined },
  keepDamaged: false,
};
type Options = ReadModelsOptions & Required<Pick<ReadModelsOptions, keyof typeof DEFAULTS>>;

/**
 * Opens the lists in their directory, and creates missing ones, empty. Rejects with an `Error` of one sentence if the
 * directory can't be written.
 */
export async function openReadModels(given: ReadModelsOptions): Promise<ReadModels> {
  const options = { ...DEFAULTS, ...given };
  const { directory, source, log, keepDamaged } = options;
  const control = new ControlDatabase(directory, source, keepDamaged ? undefined : log);
  try {
    for (const projection of PROJECTIONS) {
      const shape = tableShape(projection);
      setDamagedLiveAside(control, projection, findListDamage);
      control.ensureLive(shape, (file) => GenerationFile.create(file, shape));
    }
    return new OpenReadModels(options, control, await RowWriterThread.start(directory, log));
  } catch (error) {
    control.close();
    throw error;
  }
}

class OpenReadModels implements ReadModels {
  readonly writer: ReadModelWriter;
  readonly queries: ReadModels['queries'];
  readonly batches: ReadModels['batches'];
  readonly leases: ReadModels['leases'];
  readonly #reader: LiveReader;
  readonly #status: ListStatus;
  #projector: Projector | ThreadedProjector | undefined;
  #stopped: Promise<void> | undefined;

  constructor(
    private readonly options: Options,
    private readonly control: ControlDatabase,
    private readonly rows: RowWriterThread,
  ) {
    this.writer = new RowWriteThrough(rows, options.log);
    this.#reader = new LiveReader(control);
    this.queries = createQueries(this.#reader, { ranges: sqliteRanges });
    this.batches = new BatchRowQueries(this.#reader, options.store, control.source);
    this.leases = new SqliteLeases(control);
    this.#status = new ListStatus({
      store: options.store,
      stateOf: (name) => this.#stateOf(name),
      pause: () => setTimeout(POLL_INTERVAL_MS),
    });
  }

  async start(): Promise<void> {
    if (this.#projector) return;
    const { projectorThread } = this.options;
    this.#projector = projectorThread
      ? new ThreadedProjector(this.options, projectorThread)
      : new Projector({ ...this.options, pageSize: PAGE_EVENTS_ON_THIS_THREAD });
    await this.#projector.start();
  }

  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  async rebuild(projection: ProjectionName, options: RebuildOptions = {}): Promise<RebuildResult> {
    if (this.#projector) return this.#projector.rebuild(projection, options);
    const projector = new Projector({ ...this.options, pageSize: PAGE_EVENTS_IN_COMMAND });
    try {
      return await projector.rebuild(projection, options);
    } finally {
      await projector.stop();
    }
  }

  check(projection: ProjectionName, options: RebuildOptions = {}): Promise<CheckResult> {
    return checkProjection({ store: this.options.store, control: this.control }, projection, options);
  }

  runningRebuilds(): readonly RunningRebuild[] {
    return this.#projector?.runningRebuilds() ?? [];
  }

  status(): Promise<readonly ProjectionStatus[]> {
    return this.#status.all();
  }

  waitUntilCaughtUp(head?: Position): Promise<void> {
    return this.#status.waitUntilCaughtUp(head);
  }

  async #stop(): Promise<void> {
    await this.#projector?.stop();
    await this.rows.close();
    await this.#reader.close();
    this.control.close();
  }

  async #stateOf(name: ProjectionName): Promise<ListState> {
    const live = this.control.live(name);
    const isSameSource = live?.source === this.control.source;
    return {
      progress: isSameSource ? await this.#reader.query(name, (one) => one.progress()) : undefined,
      halted: live?.halted,
      isRebuilding: this.control.isDamaged(name) || (await this.leases.isHeld(buildLease(name))),
    };
  }
}
