import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { newEventId } from '@tillstream/event-store';
import { openAdapters } from '../adapters.js';
import { readConfig } from '../configuration/config.js';
import { noLog } from '../logging/log.js';

const BUILT = new URL('../../dist/index.js', import.meta.url);
/** Says when it is loaded, starts when told, and appends one event. */
const CHILD = `
  const { openAdapters, readConfig, noLog } = await import(process.env.BUILT);
  console.log('loaded');
  await new Promise((go) => process.stdin.once('data', go));
  const adapters = await openAdapters(readConfig({ DATA_DIR: process.env.DATA_DIR }), noLog);
  const events = [{ id: process.env.EVENT_ID, type: 'Noted', data: {}, metadata: {} }];
  await adapters.store.append({ stream: 'merchant-' + process.env.EVENT_ID, expected: 'none', events });
  await adapters.close();
  console.log('done');
  process.exit(0);
`;

interface Starting {
  readonly process: ChildProcess;
  /** Rejects where it ends before it said so. */
  said(word: string): Promise<void>;
}

/** What a first start makes, in the order in which it does. */
const MADE = [
  'events.db',
  'events.db-wal',
  'answers.key',
  'vault.keys',
  'vault.db',
  'read-models',
  'sandbox.db',
];

describe('A first start', () => {
  let folder = '';
  let dataDir = '';
  let program = '';
  const children: ChildProcess[] = [];
  beforeAll(() => {
    if (!existsSync(BUILT)) throw new Error('npm run build first: the child process is built code');
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-first-'));
    program = join(folder, 'first.start.mjs');
    writeFileSync(program, CHILD);
    dataDir = join(folder, 'data');
    mkdirSync(dataDir);
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const begin = (): Starting => {
    const env = {
      ...process.env,
      BUILT: BUILT.href,
      DATA_DIR: dataDir,
      EVENT_ID: newEventId(),
      NODE_OPTIONS: '',
    };
    const child = spawn(process.execPath, [program], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    const lines: string[] = [];
    const reader = createInterface(child.stdout);
    reader.on('line', (line) => void lines.push(line));
    const said = async (word: string): Promise<void> => {
      while (!lines.includes(word)) {
        const ended = once(child, 'exit').then(([code]) => {
          if (!lines.includes(word)) throw new Error(`it ended with ${code} before it was ${word}`);
        });
        await Promise.race([once(reader, 'line'), ended]);
      }
    };
    return { process: child, said };
  };

  /** Kills it the moment that the name shows in the data directory. */
  const killedAt = async (name: string): Promise<void> => {
    const child = begin();
    await child.said('loaded');
    const watcher = watch(dataDir, (_, changed) => {
      if (changed === name) child.process.kill('SIGKILL');
    });
    child.process.stdin?.write('go\n');
    await once(child.process, 'exit');
    watcher.close();
  };

  it.each(MADE)('that is killed when it makes %s is no reason to refuse the next one', async (name) => {
    await killedAt(name);
    expect(children.at(-1)?.signalCode).toBe('SIGKILL');
    for (let round = 0; round < 2; round++) {
      const adapters = await openAdapters(readConfig({ DATA_DIR: dataDir }), noLog);
      expect(await adapters.notReady()).toEqual([]);
      await adapters.vault.storeCard('pmt_tkn_1', '4761739001010119');
      const events = [{ id: newEventId(), type: 'Noted', data: {}, metadata: {} }];
      await adapters.store.append({ stream: `token-${events[0]?.id}`, expected: 'none', events });
      await adapters.close();
    }
  });

  it('beside another one: both start, on one directory', async () => {
    const both = [begin(), begin()];
    await Promise.all(both.map((one) => one.said('loaded')));
    for (const { process: child } of both) child.stdin?.write('go\n');
    await Promise.all(both.map((one) => one.said('done')));
    const adapters = await openAdapters(readConfig({ DATA_DIR: dataDir }), noLog);
    expect((await adapters.store.readAll()).events).toHaveLength(2);
    await adapters.close();
  });
});
