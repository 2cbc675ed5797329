import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newEventId, type EventStore } from '@tillstream/event-store';
import { recordReconciliation } from '@tillstream/payments';
import { readConfig, type Config } from '../configuration/config.js';
import { createStores, withStores, type Stores } from '../stores/stores.js';
import { readManifest, writeManifest, type BackupManifest } from './backup.manifest.js';
import { backUp } from './backup.js';
import { restoreBackup } from './restore.js';

const anna = { type: 'Operator', name: 'Anna' } as const;
const noServer = () => Promise.reject(new Error('there is no server'));

describe('A copy of a data directory', () => {
  let folder = '';
  let running: Stores;
  const at = (...names: string[]): string => join(folder, ...names);

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-backup-'));
    running = createStores(config('data'), { access: 'serve' });
    await running.vault();
    await running.idempotency();
    await append(await running.events(), 5);
  });
  afterEach(async () => {
    await running.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const config = (name: string, changes: Record<string, string> = {}): Config =>
    readConfig({ DATA_DIR: at(name), ...changes });
  const append = async (store: EventStore, count: number): Promise<void> => {
    for (let event = 0; event < count; event++) {
      await store.append({
        stream: `merchant-${newEventId()}`,
        expected: 'none',
        events: [{ id: newEventId(), type: 'Noted', data: {}, metadata: {} }],
      });
    }
  };
  const copy = (onStep?: (step: string) => void): Promise<BackupManifest> =>
    backUp(config('data'), {
      folder: at('copy'),
      program: '1.2.3',
      copyEvents: noServer,
      ...(onStep && { onStep }),
    });
  const restore = (settings = config('restored')): Promise<BackupManifest> =>
    restoreBackup(settings, { folder: at('copy'), actor: anna, copyEvents: noServer });
  const eventsIn = (settings: Config): Promise<number> =>
    withStores(settings, { access: 'read' }, async (stores) =>
      Number((await (await stores.events()).head()) ?? 0),
    );

  it('has the events first and then the vault, no key, and a manifest', async () => {
    const steps: string[] = [];
    const manifest = await copy((step) => steps.push(step));
    expect(manifest.parts.map(({ kind, file }) => [kind, file])).toEqual([
      ['History', 'events.db'],
      ['File', 'vault.db'],
    ]);
    expect(manifest).toMatchObject({
      events: 5,
      program: '1.2.3',
      eventStore: 'sqlite',
      sharedStore: 'files',
    });
    expect(readManifest(at('copy'))).toEqual(manifest);
    expect(readdirSync(at('copy')).sort()).toEqual(['backup.json', 'events.db', 'vault.db']);
    for (const name of readdirSync(at('copy'))) expect(statSync(at('copy', name)).mode & 0o777).toBe(0o600);
    expect(steps[0]).toContain('events.db');
  });

  it('needs a folder of its own', async () => {
    await copy();
    await expect(copy()).rejects.toThrow('is not empty');
  });

  it('is restored with what was written before it, and does not start until it is reconciled', async () => {
    await copy();
    await append(await running.events(), 3);
    mkdirSync(at('restored'), { mode: 0o700 });
    writeFileSync(at('restored', 'vault.keys'), 'as before');
    await restore();
    expect(readdirSync(at('restored')).sort()).toEqual(['events.db', 'vault.db', 'vault.keys']);
    const settings = config('restored');
    // The fifth event, and that of the restore.
    expect(await eventsIn(settings)).toBe(6);
    const start = () => withStores(settings, { access: 'serve' }, async (stores) => stores.events());
    await expect(start()).rejects.toThrow(
      expect.objectContaining({ name: 'ConfigError', message: expect.stringContaining('was restored') }),
    );
    await withStores(settings, { access: 'write' }, async (stores) => {
      const ports = { store: await stores.events(), clock: await stores.clock() };
      await recordReconciliation(ports, anna, 'compared');
    });
    await expect(start()).resolves.toBeDefined();
  });

  describe('is not restored', () => {
    beforeEach(async () => void (await copy()));
    const expectNothing = (): void => {
      const files = existsSync(at('restored')) ? readdirSync(at('restored')) : [];
      expect(files.filter((name) => name.endsWith('.db'))).toEqual([]);
    };

    it('into a directory with data', async () => {
      await expect(restore(config('data'))).rejects.toThrow('is not empty');
    });

    it('if it was not finished', async () => {
      unlinkSync(at('copy', 'backup.json'));
      await expect(restore()).rejects.toThrow('not finished');
      expectNothing();
    });

    it('if a file was changed', async () => {
      appendFileSync(at('copy', 'vault.db'), 'x');
      await expect(restore()).rejects.toThrow('vault.db is not the file that was copied');
      expectNothing();
    });

    it('if a file is missing', async () => {
      unlinkSync(at('copy', 'vault.db'));
      await expect(restore()).rejects.toThrow('can not be read');
      expectNothing();
    });

    it('if a newer program made it', async () => {
      writeManifest(at('copy'), { ...readManifest(at('copy')), format: 2, program: '9.0.0' });
      await expect(restore()).rejects.toThrow('version 9.0.0');
      expectNothing();
    });

    it('with settings of another service', async () => {
      const other = { EVENT_STORE: 'eventstoredb', EVENTSTOREDB_URL: 'esdb://127.0.0.1:1?tls=false' };
      await expect(restore(config('restored', other))).rejects.toThrow('EVENT_STORE=sqlite');
      expectNothing();
    });
  });

  it('is restored again after an interruption', async () => {
    await copy();
    mkdirSync(at('restored'), { mode: 0o700 });
    writeFileSync(at('restored', 'events.db.restoring'), 'a part');
    await restore();
    expect(readdirSync(at('restored')).sort()).toEqual(['events.db', 'vault.db']);
  });
});
