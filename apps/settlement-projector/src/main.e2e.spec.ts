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
  for (const child of running.splice(0)) child.kill('SIGKILL');
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true });
});

function environment(settings: Record<string, string> = {}): Record<string, string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tillstream-settlement-'));
  directories.push(dataDir);
  const { PATH = '' } = process.env;
  return { PATH, DATA_DIR: dataDir, ...settings };
}

function spawnAlone(settings: Record<string, string> = {}): ChildProcess {
  const child = spawn(process.execPath, [MAIN], { cwd: tmpdir(), env: environment(settings) });
  running.push(child);
  return child;
}

const collectStderr = (child: ChildProcess): { text: string } => {
  const read = { text: '' };
  child.stderr?.on('data', (chunk: Buffer) => (read.text += chunk.toString('utf8')));
  return read;
};

/** Resolves with the port of the health endpoint. */
async function started(child: ChildProcess, read = collectStderr(child)): Promise<number> {
  for (const until = Date.now() + 25_000; Date.now() < until;) {
    const port = STARTED.exec(read.text)?.[1];
    if (port !== undefined) return Number(port);
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`it did not start: ${read.text}`);
}

it('A settlement projector on its own is live and ready, and stops with 0 on a signal', async () => {
  const child = spawnAlone();
  const port = await started(child);
  for (const [path, body] of [
    ['live', { status: 'live' }],
    ['ready', { status: 'ready', reasons: [] }],
  ] as const) {
    const response = await fetch(`http://127.0.0.1:${port}/health/${path}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject(body);
  }
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toContain('tillstream_ready{check="stores",app="settlement-projector"} 1');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('A settlement projector beside the API ends when its channel closes, also before it has started', async () => {
  const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const;
  const forkBeside = (): ChildProcess => {
    const child = fork(MAIN, [], { cwd: tmpdir(), env: environment(), execArgv: [], stdio: [...stdio] });
    running.push(child);
    return child;
  };
  const [ready, loading] = [forkBeside(), forkBeside()];
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

it('A settlement projector reports a wrong setting and a port in use in one sentence', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const port = String((taken.address() as AddressInfo).port);
  const [wrong, busy] = [
    spawnAlone({ SETTLEMENT_PROJECTOR_PORT: 'any' }),
    spawnAlone({ SETTLEMENT_PROJECTOR_PORT: port, LOG_LEVEL: 'silent' }),
  ];
  const [wrongOutput, busyOutput] = [collectStderr(wrong), collectStderr(busy)];
  expect((await Promise.all([once(wrong, 'close'), once(busy, 'close')])).map(([code]) => code)).toEqual([
    2, 1,
  ]);
  expect(wrongOutput.text).toMatch(/^SETTLEMENT_PROJECTOR_PORT is "any"; [^\n]+\.\n$/);
  expect(busyOutput.text).toMatch(new RegExp(`^Port ${port} is taken [^\n]+\\.\n$`));
  taken.close();
});
