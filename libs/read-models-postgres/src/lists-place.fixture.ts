import type { EventStore } from '@tillstream/event-store';
import type { Postgres } from '@tillstream/postgres-driver';
import { MigratedDatabase, type PostgresServer } from '@tillstream/postgres-driver/testing';
import {
  tableShape,
  type OrderedProjection,
  type OrderedReadModel,
  type ProjectionName,
  type ReadModels,
  type ReadModelsLog,
  type TableRow,
  type TableShape,
} from '@tillstream/read-models';
import { recordingLog } from '@tillstream/read-models/testing';
import type { ListsUnderTest } from '@tillstream/read-models/testing/contract';
import { LISTS_MIGRATIONS } from './control/control.tables.js';
import { ListControl } from './control/list.control.js';
import { openPostgresReadModels } from './open-read-models.js';
import { openPostgresOrdered } from './ordered/ordered.read-model.js';
import { emptyList } from './projector/rebuild.js';
import { GenerationRows } from './tables/generation.rows.js';

/** The specs open many instances on one server. */
const CONNECTIONS_MAX = 2;

interface OpenOptions {
  readonly store: EventStore;
  readonly source?: string;
  readonly log?: ReadModelsLog;
}

/** A new database for lists, which the first use makes. Instances share one pool for what is not their own. */
export class ListsPlace implements ListsUnderTest {
  #made: Promise<MigratedDatabase> | undefined;
  #shared: Promise<Postgres> | undefined;

  /** @param server called at the first use */
  constructor(private readonly server: () => PostgresServer) {}

  async open({ store, source = '', log = recordingLog([]) }: OpenOptions): Promise<ReadModels> {
    return openPostgresReadModels({
      database: await this.database(),
      store,
      source,
      log,
      makesMissing: true,
    });
  }

  async openOrdered<Tables>(
    store: EventStore,
    projection: OrderedProjection<Tables>,
  ): Promise<OrderedReadModel<Tables>> {
    const database = await this.database();
    return openPostgresOrdered({ database, store, source: '', log: recordingLog([]) }, projection);
  }

  async goLive(shape: TableShape): Promise<void> {
    const control = await this.control();
    const make = emptyList(tableShape(shape.projection));
    const generation = await control.startBuilding(shape, 'another builder', make);
    await control.announce(generation);
    await control.swap(generation);
  }

  async forge(projection: ProjectionName, change: (row: TableRow) => TableRow): Promise<TableRow> {
    const rows = await this.liveRows(projection);
    const [row] = await rows.page('', 1);
    if (!row) throw new Error('there is a row');
    await rows.write([change(row)]);
    return row;
  }

  async liveRows(projection: ProjectionName): Promise<GenerationRows> {
    const database = await this.database();
    const live = await (await this.control()).live(projection);
    if (!live) throw new Error(`${projection} is live`);
    return new GenerationRows({ synced: database, unsynced: database }, live);
  }

  async control(source = ''): Promise<ListControl> {
    return new ListControl(await this.database(), source);
  }

  /** The pool that all instances share. */
  database(): Promise<Postgres> {
    return (this.#shared ??= this.newDatabase());
  }

  /** A pool for one instance. */
  async newDatabase(changes: Parameters<MigratedDatabase['open']>[0] = {}): Promise<Postgres> {
    this.#made ??= MigratedDatabase.create(this.server(), [LISTS_MIGRATIONS]);
    return (await this.#made).open({ connectionsMax: CONNECTIONS_MAX, ...changes });
  }

  async remove(): Promise<void> {
    await (await this.#made)?.close();
  }
}
