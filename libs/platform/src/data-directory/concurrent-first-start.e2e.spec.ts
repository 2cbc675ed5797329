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
/** Prints `loaded`, starts when it gets a line, and appends one event. */
const CHILD = `
  const { openAdapters, readConfig, noLog } = await import(process.env.BUILT);
  console.log('loaded');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  const adapters = await openAdapters(readConfig({ DATA_DIR: process.env.DATA_DIR }), noLog);
  const events = [{ id: process.env.EVENT_ID, type: 'Noted', data: {}, metadata: {} }];
  await adapters.store.append({ stream: 'merchant-' + process.env.EVENT_ID, expected: 'none', events });
  await adapters.close();
  console.log('done');
  process.exit(0);
`;

interface Starting {
  readonly process: ChildProcess;
  /** Rejects if the process ends before it has printed the line. */
  printed(line: string): Promise<void>;
}

/** The files that a first start creates, in order. */
const CREATED_FILES = [
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

  const startChild = (): Starting => {
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
    const printed = async (expected: string): Promise<void> => {
      while (!lines.includes(expected)) {
        const ended = once(child, 'exit').then(([code]) => {
          if (!lines.includes(expected))
            throw new Error(`it ended with ${code} before it printed ${expected}`);
        });
        await Promise.race([once(reader, 'line'), ended]);
      }
    };
    return { process: child, printed };
  };

  /** Starts the service, and kills it when the file appears in the data directory. */
  const startAndKillAt = async (name: string): Promise<void> => {
    const child = startChild();
    await child.printed('loaded');
    const watcher = watch(dataDir, (_, changed) => {
      if (changed === name) child.process.kill('SIGKILL');
    });
    child.process.stdin?.write('go\n');
    await once(child.process, 'exit');
    watcher.close();
  };

  it.each(CREATED_FILES)('that is killed when it creates %s does not prevent the next one', async (name) => {
    await startAndKillAt(name);
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

  it('succeeds twice at the same time on one directory', async () => {
    const both = [startChild(), startChild()];
    await Promise.all(both.map((starting) => starting.printed('loaded')));
    for (const { process: child } of both) child.stdin?.write('go\n');
    await Promise.all(both.map((starting) => starting.printed('done')));
    const adapters = await openAdapters(readConfig({ DATA_DIR: dataDir }), noLog);
    expect((await adapters.store.readAll()).events).toHaveLength(2);
    await adapters.close();
  });
});
