import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newEventId, transact } from '@tillstream/event-store';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';

const PROGRAM = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const run = promisify(execFile);

describe('The program', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-verify-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const storeIn = async (directory: string, events: number): Promise<void> => {
    mkdirSync(join(folder, directory));
    const store = await openSqliteEventStore({ file: join(folder, directory, 'events.db') });
    const noted = Array.from({ length: events }, () => ({
      id: newEventId(),
      type: 'Noted',
      data: {},
      metadata: {},
    }));
    await transact(store, { stream: 'test-1', decide: () => ({ events: noted, value: 0 }) });
    await store.close();
  };

  it('examines what a file `.env` names, as the service would, and a variable before that', async () => {
    await storeIn('.data', 1);
    await storeIn('named', 2);
    await storeIn('given', 3);
    writeFileSync(join(folder, '.env'), 'DATA_DIR=named\n');
    const { PATH = '' } = process.env;
    const said = async (env: object): Promise<string> => {
      const { stdout } = await run(process.execPath, [PROGRAM], { cwd: folder, env: { PATH, ...env } });
      return stdout;
    };
    expect(await said({})).toContain('named/events.db: 2 events');
    expect(await said({ DATA_DIR: 'given' })).toContain('given/events.db: 3 events');
  });
});
