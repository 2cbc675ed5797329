// Runs `npm start` as a new user does: an empty data directory, the printed calls, Ctrl-C, and a second start, which must
// still have the payment.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const READY_WITHIN_MS = 120_000;
const STOPPED_WITHIN_MS = 20_000;
const LAST_PRINTED = 'Ctrl-C';

const root = fileURLToPath(new URL('..', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'smoke-'));
const port = await freePort();
const origin = `http://localhost:${port}`;
const groups = new Set();

try {
  const first = await start();
  const calls = first.printed.split('\n').filter((line) => line.startsWith('curl '));
  check(calls.length >= 3, 'three calls are printed');
  const answers = [];
  for (const call of calls) answers.push(JSON.parse((await bash(call)).stdout));
  for (const { resultCode, status, message } of answers) {
    check(resultCode === 0 && status === 'Completed', `a printed call completes: ${message ?? status}`);
  }
  const shop = /^ {2}Shop +(\S+)$/m.exec(first.printed)?.[1];
  check((await fetch(shop)).ok, 'the printed shop is open');
  const [{ id }] = answers;
  const key = /x-api-key: (\S+?)'/.exec(calls[0])?.[1];
  const lookUp = `curl -sf -H 'x-api-key: ${key}' ${origin}/v1/transactions/${id}`;
  const before = (await bash(lookUp)).stdout;
  check((await first.interrupt()) === 0, 'Ctrl-C ends the first start with 0');

  const second = await start();
  check((await bash(lookUp)).stdout === before, 'the second start has the payment');
  check((await second.interrupt()) === 0, 'Ctrl-C ends the second start with 0');
} finally {
  for (const group of groups) killGroup(group, 'SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
}

/** Starts a process group, as a terminal does: Ctrl-C reaches npm and the service. */
async function start() {
  const from = Date.now();
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(port) };
  const child = spawn('npm', ['start'], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  groups.add(child.pid);
  const exited = once(child, 'exit').then(([code]) => code);
  const running = { printed: '', interrupt };
  child.stdout.on('data', (data) => (running.printed += data));
  while (!(await isReady()) || !running.printed.includes(LAST_PRINTED)) {
    if (child.exitCode !== null)
      throw new Error(`npm start ended with ${child.exitCode}:\n${running.printed}`);
    if (Date.now() - from > READY_WITHIN_MS) throw new Error(`not ready in time:\n${running.printed}`);
    await sleep(100);
  }
  console.log(`ready after ${((Date.now() - from) / 1000).toFixed(1)} s`);
  return running;

  async function interrupt() {
    killGroup(child.pid, 'SIGINT');
    const late = sleep(STOPPED_WITHIN_MS, 'still running', { ref: false });
    const code = await Promise.race([exited, late]);
    if (code !== 'still running') groups.delete(child.pid);
    return code;
  }
}

async function isReady() {
  try {
    return (await fetch(`${origin}/health/ready`)).ok;
  } catch {
    return false;
  }
}

function bash(command) {
  return promisify(execFile)('bash', ['-c', command], { cwd: root, timeout: 30_000 });
}

async function freePort() {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port: free } = server.address();
  server.close();
  await once(server, 'close');
  return free;
}

function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}

function check(holds, expectation) {
  if (!holds) throw new Error(`failed: ${expectation}`);
  console.log(`ok: ${expectation}`);
}
