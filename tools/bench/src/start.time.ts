import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { API, USUAL_SETTINGS } from './http.services.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const POLL_MS = 10;
const READY_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;

/** Commands that start the API in the project's folder. */
const STARTS = {
  npm: ['npm', 'start'],
  node: [process.execPath, API],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

/** Seconds from the command until `/health/ready` is 200, on a new data directory. Stops the service afterwards. */
export async function secondsUntilReady(
  kind: keyof typeof STARTS,
  folder: string,
  name: string,
): Promise<number> {
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
      // The group has ended meanwhile.
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
