import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Bench, Figure, BenchContext } from '../bench.types.js';
import {
  API,
  startApi,
  startSandbox,
  USUAL_SETTINGS,
  USUAL_SETTINGS_TEXT,
  type Service,
} from '../services/http.services.js';
import { childOf, residentBytes } from '../services/process.memory.js';
import { interleaved, spread } from '../report/rounds.statistics.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const POLL_MS = 10;
const READY_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;
const PROJECTOR = 'settlement-projector';
const PROJECTOR_MEANING = 'The process that the API starts beside itself.';
const PROJECTOR_TIMEOUT_MS = 30_000;

export const footprintBench: Bench = {
  name: 'footprint',
  title: 'Start, and memory at rest',
  method:
    `Started on a data directory that does not exist yet, with the settings of \`npm start\` (${USUAL_SETTINGS_TEXT}), after ` +
    `the build: \`npm start\` checks the build and then runs \`node apps/api/dist/bundled/main.js\`, which is also measured alone. The time ` +
    `is from the command to the first 200 of /health/ready, which is asked every 10 ms. Memory is what Linux has ` +
    `resident of each process (VmRSS, in millions of bytes), 10 s after it was ready, with nothing asked of it.`,
  run,
};

async function run(context: BenchContext): Promise<Figure[]> {
  const { folder, quick, progress } = context;
  const starts = await startFigures(context);
  const restMs = quick ? 500 : 10_000;
  progress('memory');
  const embedded = await measureAtRest(join(folder, 'embedded'), restMs);
  const network = await overNetwork(join(folder, 'network'), restMs);
  return [
    ...starts,
    memory('API at rest', embedded.api, 'With the simulated acquirer in it, as npm start has it.'),
    memory('settlement projector at rest', embedded.projector, PROJECTOR_MEANING),
    memory('API at rest, sandbox over the network', network.api, 'SANDBOX=network.'),
    memory('sandbox over the network, at rest', network.sandbox, 'apps/sandbox, a process of its own.'),
  ];
}

async function startFigures({ folder, quick, progress }: BenchContext): Promise<Figure[]> {
  const rounds = quick ? 1 : 7;
  let made = 0;
  const start = (kind: 'npm' | 'node') => () => secondsUntilReady(kind, folder, `start-${(made += 1)}`);
  const seconds = await interleaved(rounds, { npm: start('npm'), node: start('node') }, (round) =>
    progress(`start, ${round}`),
  );
  const figure = (name: string, values: readonly number[], meaning: string): Figure => ({
    name,
    ...spread(values),
    unit: 's',
    meaning,
    target: { kind: 'at most', value: 5 },
  });
  return [
    figure('npm start until ready', seconds.npm, 'With the look whether all is built, by npm, Nx and tsc.'),
    figure('node apps/api/dist/bundled/main.js until ready', seconds.node, 'The service alone.'),
  ];
}

/** Resident bytes. */
async function measureAtRest(folder: string, ms: number, settings: Readonly<Record<string, string>> = {}) {
  mkdirSync(folder, { recursive: true });
  const api = await startApi(folder, 0, { settings: { ...USUAL_SETTINGS, ...settings } });
  try {
    const projector = await projectorBeside(api);
    await setTimeout(ms);
    return { api: residentBytes(api.pid), projector: residentBytes(projector) };
  } finally {
    await api.stop();
  }
}

async function overNetwork(folder: string, ms: number) {
  mkdirSync(folder, { recursive: true });
  const SANDBOX_SECRET = randomBytes(32).toString('hex');
  const sandbox = await startSandbox(folder, SANDBOX_SECRET);
  try {
    const SANDBOX_URL = `http://${sandbox.host}:${sandbox.port}`;
    const rest = await measureAtRest(folder, ms, { SANDBOX: 'network', SANDBOX_URL, SANDBOX_SECRET });
    return { ...rest, sandbox: residentBytes(sandbox.pid) };
  } finally {
    await sandbox.stop();
  }
}

/** Returns the process id of the projector, which starts after the API. */
export async function projectorBeside(api: Service): Promise<number> {
  const until = performance.now() + PROJECTOR_TIMEOUT_MS;
  for (;;) {
    const pid = childOf(api.pid, PROJECTOR);
    if (pid !== undefined) return pid;
    if (performance.now() > until) throw new Error('no settlement projector runs beside the API');
    await setTimeout(50);
  }
}

function memory(name: string, bytes: number, meaning: string): Figure {
  return { name, value: bytes / 1e6, unit: 'MB', meaning, target: { kind: 'at most', value: 200 } };
}

/** Commands that start the API in the project's folder. */
const STARTS = {
  npm: ['npm', 'start'],
  node: [process.execPath, API],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

/** Seconds from the command until `/health/ready` is 200, on a new data directory. Stops the service afterwards. */
async function secondsUntilReady(kind: keyof typeof STARTS, folder: string, name: string): Promise<number> {
  const port = await freePort();
  const env = { ...process.env, DATA_DIR: join(folder, name), PORT: String(port), ...USUAL_SETTINGS };
  const output = join(folder, `${name}.output`);
  const descriptor = openSync(output, 'w');
  const [program, ...args] = STARTS[kind];
  const startedAt = performance.now();
  // npm starts a shell which starts the service: they are one process group, which is stopped as a whole.
  const child = spawn(program, args, {
    cwd: ROOT,
    env,
    detached: true,
    stdio: ['ignore', descriptor, descriptor],
  });
  closeSync(descriptor);
  const exited = new Promise<void>((resolve) =>
    child.once('error', () => resolve()).once('exit', () => resolve()),
  );
  const signal = (which: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, which);
    } catch {
      // The group has ended before.
    }
  };
  const kill = (): void => signal('SIGKILL');
  process.prependOnceListener('exit', kill);
  try {
    while (!(await isReady(port))) {
      const ended = child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
      if (ended || performance.now() - startedAt > READY_TIMEOUT_MS)
        throw new Error(
          `${STARTS[kind].join(' ')} did not get ready: ${readFileSync(output, 'utf8').slice(-1500)}`,
        );
      await setTimeout(POLL_MS);
    }
    return (performance.now() - startedAt) / 1_000;
  } finally {
    signal('SIGTERM');
    await Promise.race([exited, setTimeout(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    kill();
    process.off('exit', kill);
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}/health/ready`);
    return status === 200;
  } catch {
    return false;
  }
}

/** The benchmark must know the port before the service runs. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
