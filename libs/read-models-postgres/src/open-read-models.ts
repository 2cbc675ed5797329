import { setTimeout } from 'node:timers/promises';
import type { EventStore, Position } from '@tillstream/event-store';
import { openPostgres, PostgresLeases, type Postgres } from '@tillstream/postgres-driver';
import {
  BatchRowQueries,
  createQueries,
  ListStatus,
  PROJECTIONS,
  RowWriteThrough,
  tableShape,
  type CheckResult,
  type ListProjector,
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
import { LEASES } from './control/control.tables.js';
import { buildLease } from './control/generation.build.js';
import { progressOf } from './control/generation.progress.js';
import { ListControl } from './control/list.control.js';
import { PostgresLiveGenerations } from './control/live.generations.js';
import { OpenGenerations } from './control/open.generations.js';
import { createProjector } from './projector/projector.js';
import { checkProjection, emptyList } from './projector/rebuild.js';
import { postgresRanges } from './queries/merged-ranges.query.js';
import { RowWriter } from './writer/row.writer.js';

/** On the thread of the service a page blocks the event loop for a few ms, if its rows are to be made. */
const PAGE_EVENTS = 100;
const PAGE_EVENTS_IN_COMMAND = 500;
const POLL_INTERVAL_MS = 50;

export interface PostgresReadModelsOptions {
  /** Has the tables of `LISTS_MIGRATIONS`. The lists open further connections with its settings. The caller closes it. */
  readonly database: Postgres;
  readonly store: EventStore;
  /** The name of the store: lists that were made from another store are rebuilt. */
  readonly source: string;
  readonly log: ReadModelsLog;
  /** Makes missing lists, empty. Without it their queries reject until a rebuild makes them. */
  readonly makesMissing: boolean;
}

/** Opens the lists. Rejects with a `PostgresError`. */
export async function openPostgresReadModels(options: PostgresReadModelsOptions): Promise<ReadModels> {
  const { database, source, makesMissing } = options;
  const control = new ListControl(database, source);
  for (const projection of makesMissing ? PROJECTIONS : []) {
    const shape = tableShape(projection);
    await control.ensureLive(shape, emptyList(shape));
  }
  const unsynced = openPostgres({ ...database.settings, commits: 'Unsynced', reads: 'ByIndex' });
  return new PostgresReadModels(options, control, new OpenGenerations({ synced: database, unsynced }));
}

class PostgresReadModels implements ReadModels {
  readonly writer: ReadModelWriter;
  readonly queries: ReadModels['queries'];
  readonly batches: ReadModels['batches'];
  readonly leases: ReadModels['leases'];
  readonly #rows: RowWriter;
  readonly #live: PostgresLiveGenerations;
  readonly #status: ListStatus;
  #projector: ListProjector | undefined;
  #stopped: Promise<void> | undefined;

  constructor(
    private readonly options: PostgresReadModelsOptions,
    private readonly control: ListControl,
    private readonly open: OpenGenerations,
  ) {
    const { store, source, log, database } = options;
    this.#rows = new RowWriter(open, log);
    this.writer = new RowWriteThrough(this.#rows, log);
    this.#live = new PostgresLiveGenerations(open.databases.unsynced);
    this.queries = createQueries(this.#live, { ranges: postgresRanges });
    this.batches = new BatchRowQueries(this.#live, store, source);
    this.leases = new PostgresLeases(database, LEASES);
    this.#status = new ListStatus({
      store,
      stateOf: (name) => this.#stateOf(name),
      pause: () => setTimeout(POLL_INTERVAL_MS),
    });
  }

  async start(): Promise<void> {
    if (this.#projector) return;
    this.#projector = this.#newProjector(PAGE_EVENTS);
    await this.#live.listen();
    this.#projector.start();
  }

  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  async rebuild(projection: ProjectionName, options: RebuildOptions = {}): Promise<RebuildResult> {
    if (this.#projector) return this.#projector.rebuild(projection, options);
    const projector = this.#newProjector(PAGE_EVENTS_IN_COMMAND);
    try {
      return await projector.rebuild(projection, options);
    } finally {
      await projector.stop();
    }
  }

  check(projection: ProjectionName, options: RebuildOptions = {}): Promise<CheckResult> {
    const { store } = this.options;
    const { databases } = this.open;
    const parts = { store, control: this.control, databases, pageSize: PAGE_EVENTS_IN_COMMAND };
    return checkProjection(parts, projection, options);
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

  #newProjector(pageSize: number): ListProjector {
    const { store, log } = this.options;
    return createProjector({ store, log, control: this.control, open: this.open, pageSize });
  }

  async #stop(): Promise<void> {
    await this.#projector?.stop();
    await this.#rows.close();
    await this.#live.close();
    await this.open.databases.unsynced.close();
  }

  async #stateOf(name: ProjectionName): Promise<ListState> {
    const { control } = this;
    const live = await control.live(name);
    const isSameSource = live?.source === control.source;
    return {
      progress: isSameSource ? await progressOf(control.database, live.generation) : undefined,
      halted: live?.halted,
      isRebuilding: await this.leases.isHeld(buildLease(name)),
    };
  }
}
