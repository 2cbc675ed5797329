import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { API, USUAL_SETTINGS } from './http.services.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const LOOK_EVERY_MS = 10;
const READY_WITHIN_MS = 120_000;
const STOPS_WITHIN_MS = 30_000;

/** How somebody starts the API in the project's folder. */
const STARTS = {
  npm: ['npm', 'start'],
  node: [process.execPath, API],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

/**
 * Seconds from the command until `/health/ready` answers 200, on a data directory that does not exist yet. The service is
 * stopped again after it.
 */
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
  const since = performance.now();
  // npm is the parent of a shell's program: one group, which is stopped as a whole.
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
      // It has ended meanwhile.
    }
  };
  const kill = (): void => signal('SIGKILL');
  process.prependOnceListener('exit', kill);
  try {
    while (!(await isReady(port))) {
      const ended = child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
      if (ended || performance.now() - since > READY_WITHIN_MS)
        throw new Error(
          `${STARTS[kind].join(' ')} did not get ready: ${readFileSync(output, 'utf8').slice(-1500)}`,
        );
      await setTimeout(LOOK_EVERY_MS);
    }
    return (performance.now() - since) / 1_000;
  } finally {
    signal('SIGTERM');
    await Promise.race([exited, setTimeout(STOPS_WITHIN_MS, undefined, { ref: false })]);
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

/** The port is known before the service is, so that only the service is waited for. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
