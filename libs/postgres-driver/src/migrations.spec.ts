import { isMigrated, migrate, type Migrations } from './migrations.js';
import { openPostgres, type Postgres } from './postgres.js';
import type { PostgresSettings } from './postgres.settings.js';
import { queryBuilder } from './query.builder.js';
import { PostgresServer } from './testing/index.js';

const one: Migrations = {
  component: 'notes',
  steps: [({ schema }) => [schema.createTable('notes').addColumn('id', 'bigint')]],
};
const two: Migrations = {
  component: 'notes',
  steps: [
    ...one.steps,
    ({ schema }) => [schema.alterTable('notes').addColumn('text', 'text'), schema.createTable('tags')],
  ],
};
const broken: Migrations = {
  component: 'notes',
  steps: [...two.steps, ({ schema }) => [schema.createTable('later'), schema.createTable('tags')]],
};

describe('Migrations', () => {
  let server: PostgresServer;
  let settings: PostgresSettings;
  let database: Postgres;
  const tables = async (): Promise<string[]> => {
    const build = queryBuilder<{
      'information_schema.tables': { table_name: string; table_schema: string };
    }>();
    const query = build.selectFrom('information_schema.tables').select('table_name');
    const rows = await database.all(query.where('table_schema', '=', 'public'));
    return rows.map(({ table_name }) => table_name).sort();
  };

  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    settings = await server.newDatabase();
    database = openPostgres(settings);
  });
  afterEach(() => database.close());

  it('create the tables, and apply later only the steps that are missing', async () => {
    expect(await isMigrated(database, [one])).toBe(false);
    expect(await migrate(settings, [one])).toEqual([{ from: 0, to: 1 }]);
    expect([await isMigrated(database, [one]), await isMigrated(database, [two])]).toEqual([true, false]);
    expect(await migrate(settings, [two])).toEqual([{ from: 1, to: 2 }]);
    expect(await migrate(settings, [two])).toEqual([{ from: 2, to: 2 }]);
    expect(await tables()).toEqual(['notes', 'schema_versions', 'tags']);
  });

  it('are applied by one of the instances that start together, while the others wait', async () => {
    const results = await Promise.all(Array.from({ length: 6 }, () => migrate(settings, [two])));
    expect(results.filter(([result]) => result?.from === 0)).toHaveLength(1);
    expect(await tables()).toEqual(['notes', 'schema_versions', 'tags']);
  });

  it('are refused, and change nothing, if a newer program has changed the tables', async () => {
    await migrate(settings, [two]);
    const other: Migrations = { component: 'other', steps: [({ schema }) => [schema.createTable('other')]] };
    await expect(migrate(settings, [other, one])).rejects.toMatchObject({
      code: 'Refused',
      message:
        'its tables of notes were made by a newer program (version 2, this one knows 1): start that one',
    });
    expect(await tables()).toEqual(['notes', 'schema_versions', 'tags']);
  });

  it('change nothing if a step fails', async () => {
    await migrate(settings, [one]);
    await expect(migrate(settings, [broken])).rejects.toMatchObject({ code: 'Refused' });
    expect(await tables()).toEqual(['notes', 'schema_versions']);
    expect(await migrate(settings, [two])).toEqual([{ from: 1, to: 2 }]);
  });
});
