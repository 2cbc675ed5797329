import { openPostgres, type PostgresSettings } from '@tillstream/postgres-driver';
import { openBarePostgres } from '@tillstream/postgres-driver/testing';
import { storedColumns, tableShape, type ProjectionName, type TableRow } from '@tillstream/read-models';
import { ListControl } from '../control/list.control.js';
import { schemaOf } from '../control/generation.js';
import { fillList } from './fill.lists.js';

/** Rows of one list, written by the driver alone: one prepared statement for each, which commits itself. */
export interface BareRows {
  /** The row has the first combination of each family. Its id must be new. */
  insert(row: TableRow): Promise<void>;
  close(): Promise<void>;
}

/** Makes an empty list with its indexes in a new database. Commits as the lists do: without waiting for the disk. */
export async function openBareRows(
  settings: PostgresSettings,
  projection: ProjectionName,
): Promise<BareRows> {
  await fillList(settings, projection, 0);
  const schema = await liveSchema(settings, projection);
  const shape = tableShape(projection);
  const families = shape.families.map(({ name }) => name);
  const columns = ['id', 'revision', ...storedColumns(shape)];
  const names = [...columns, ...families].map((name) => `"${name}"`).join(', ');
  const places = columns.map((_, index) => `$${index + 1}`).join(', ');
  const text = `insert into "${schema}".rows (${names}) values (${places}, ${families.map(() => '1').join(', ')})`;
  const bare = openBarePostgres({ ...settings, commits: 'Unsynced' });
  return {
    insert: (row) =>
      bare.run(
        'insert-row',
        text,
        columns.map((column) => row[column]),
      ),
    close: () => bare.close(),
  };
}

async function liveSchema(settings: PostgresSettings, projection: ProjectionName): Promise<string> {
  const database = openPostgres(settings);
  try {
    const live = await new ListControl(database, '').live(projection);
    if (!live) throw new Error(`${projection} has no tables`);
    return schemaOf(live);
  } finally {
    await database.close();
  }
}
