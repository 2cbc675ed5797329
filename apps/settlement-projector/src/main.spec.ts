import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = new URL('../dist/bundled/main.js', import.meta.url).pathname;
const STARTED = /"event":"settlement-started".*"port":(\d+)/;

const directories: string[] = [];
const running: ChildProcess[] = [];
afterEach(() => {
  for (const one of running.splice(0)) one.kill('SIGKILL');
  for (const one of directories.splice(0)) rmSync(one, { recursive: true, force: true });
});

function environment(settings: Record<string, string> = {}): Record<string, string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tillstream-settlement-'));
  directories.push(dataDir);
  const { PATH = '' } = process.env;
  return { PATH, DATA_DIR: dataDir, ...settings };
}

function alone(settings: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [MAIN], { cwd: tmpdir(), env: environment(settings) });
  running.push(child);
  return child;
}

const textOf = (child: ChildProcess): { text: string } => {
  const read = { text: '' };
  child.stderr?.on('data', (chunk: Buffer) => (read.text += chunk.toString('utf8')));
  return read;
};

/** The port of its health. */
async function started(child: ChildProcess, read = textOf(child)): Promise<number> {
  for (const until = Date.now() + 25_000; Date.now() < until;) {
    const port = STARTED.exec(read.text)?.[1];
    if (port !== undefined) return Number(port);
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`it did not start: ${read.text}`);
}

it('on its own is live and ready, and stops with 0 on a signal', async () => {
  const child = alone();
  const port = await started(child);
  for (const [path, body] of [
    ['live', { status: 'live' }],
    ['ready', { status: 'ready', reasons: [] }],
  ] as const) {
    const response = await fetch(`http://127.0.0.1:${port}/health/${path}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject(body);
  }
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('beside another process ends when the channel to it closes, also before it has started', async () => {
  const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const;
  const beside = (): ChildProcess => {
    const child = fork(MAIN, [], { cwd: tmpdir(), env: environment(), execArgv: [], stdio: [...stdio] });
    running.push(child);
    return child;
  };
  const [ready, loading] = [beside(), beside()];
  const endedWhileLoading = once(loading, 'exit');
  loading.disconnect();
  await started(ready);
  const ended = once(ready, 'exit');
  ready.disconnect();
  expect(await Promise.all([ended, endedWhileLoading])).toEqual([
    [0, null],
    [0, null],
  ]);
});

it('tells of a wrong setting and of a port that is taken in one sentence', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const port = String((taken.address() as AddressInfo).port);
  const [wrong, busy] = [
    alone({ SETTLEMENT_PROJECTOR_PORT: 'any' }),
    alone({ SETTLEMENT_PROJECTOR_PORT: port, LOG_LEVEL: 'silent' }),
  ];
  const [said, told] = [textOf(wrong), textOf(busy)];
  expect((await Promise.all([once(wrong, 'close'), once(busy, 'close')])).map(([code]) => code)).toEqual([
    2, 1,
  ]);
  expect(said.text).toMatch(/^SETTLEMENT_PROJECTOR_PORT is "any"; [^\n]+\.\n$/);
  expect(told.text).toMatch(new RegExp(`^Port ${port} is taken [^\n]+\\.\n$`));
  taken.close();
});
