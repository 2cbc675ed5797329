import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DumpError, dumpDatabase, isEmptyDatabase, restoreDatabase } from './database.dump.js';
import type { PostgresSettings } from './postgres.settings.js';
import { PostgresServer } from './testing/index.js';

describe('The dump of a database', () => {
  let server: PostgresServer;
  let folder = '';
  let settings: PostgresSettings;
  const nameOf = ({ url }: PostgresSettings): string => new URL(url).pathname.slice(1);

  beforeAll(async () => {
    server = await PostgresServer.start();
    folder = mkdtempSync(join(tmpdir(), 'tillstream-dump-'));
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    settings = await server.newDatabase();
  });
  const make = async (): Promise<void> => {
    await server.admin('create table note (id bigint primary key, text text)', nameOf(settings));
    await server.admin("insert into note values (1, 'one'), (2, 'two')", nameOf(settings));
  };

  it('is restored into an empty database', async () => {
    await make();
    const file = join(folder, 'a.dump');
    await dumpDatabase(settings, file);
    const target = await server.newDatabase();
    expect(await isEmptyDatabase(target)).toBe(true);
    await restoreDatabase(target, file);
    expect(await isEmptyDatabase(target)).toBe(false);
    expect(await server.admin('select text from note order by id', nameOf(target))).toEqual([
      { text: 'one' },
      { text: 'two' },
    ]);
  });

  it('is restored whole or not at all', async () => {
    await make();
    const file = join(folder, 'b.dump');
    await dumpDatabase(settings, file);
    await expect(restoreDatabase(settings, file)).rejects.toThrow(DumpError);
    expect(await server.admin('select count(*)::int as notes from note', nameOf(settings))).toEqual([
      { notes: 2 },
    ]);
  });

  it('tells why it failed, without the password', async () => {
    const wrong = { ...settings, url: settings.url.replace(/\/[^/]*$/, '/none') };
    const password = new URL(settings.url).password;
    const failed: unknown = await dumpDatabase(wrong, join(folder, 'c.dump')).catch(
      (error: unknown) => error,
    );
    expect(failed).toBeInstanceOf(DumpError);
    expect(String(failed)).toMatch(/database "none" does not exist/);
    expect(String(failed)).not.toContain(password);
    await expect(dumpDatabase(settings, join(folder, 'd.dump'), { programs: folder })).rejects.toThrow(
      'There is no pg_dump',
    );
    expect(existsSync(join(folder, 'd.dump'))).toBe(false);
  });
});
