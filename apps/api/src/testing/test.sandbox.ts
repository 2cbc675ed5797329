import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { FaultyProxy, ProxyFault } from '@tillstream/processors/testing';

/** Given by the jest project: all HTTP specs run once with the sandbox in process and once as a service of its own. */
declare global {
  var SANDBOX: 'embedded' | 'network' | undefined;
  /** What the network between the two does to everything that goes over it. */
  var SANDBOX_LINE: 'delayed' | 'doubled' | undefined;
}

const FAULTS: Readonly<Record<'delayed' | 'doubled', ProxyFault>> = {
  delayed: { delayMs: 15 },
  doubled: 'Doubled',
};
const HOST = new URL('../../../sandbox/dist/testing/sandbox.host.js', import.meta.url);
/** Of all sandbox services of the tests. */
export const SANDBOX_SECRET = 'only-for-the-tests-of-the-api';
/** A network takes its time, and on a busy machine the other process takes turns with this one. */
const PACE = { PROCESSOR_DEADLINE_MS: '800', SEND_WITHIN_MS: '1000' };
/** Those that service and sandbox must have alike. */
const SHARED = ['PROCESSOR_DEADLINE_MS', 'SANDBOX_BROKEN_WORD_DELAY_MS'] as const;

interface Said {
  readonly id: number;
  readonly origin?: string;
  readonly error?: string;
}

/** One process for all sandbox services of a spec file: loading what they are made of takes longest. */
export class SandboxHost {
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, (said: Said) => void>();
  private readonly ready: Promise<Said>;
  private asked = 0;
  private hasEnded = false;

  constructor() {
    this.child = fork(HOST, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.ready = new Promise((resolve) => this.waiting.set(0, resolve));
    this.child.on('message', (said: Said) => {
      this.waiting.get(said.id)?.(said);
      this.waiting.delete(said.id);
    });
    this.child.once('exit', (code) => {
      const error = `the sandboxes' process ended with ${code}: npm run build first`;
      for (const [id, tell] of this.waiting) tell({ id, error });
    });
  }

  /** With all its sandboxes; what is asked then has been done. */
  async end(): Promise<void> {
    this.hasEnded = true;
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await new Promise((resolve) => this.child.once('close', resolve));
  }

  async ask(question: object): Promise<{ readonly id: number; readonly origin: string }> {
    const begun = await this.ready;
    const id = ++this.asked;
    if (this.hasEnded) return { id, origin: '' };
    if (!this.child.connected) throw new Error(begun.error ?? 'the process of the sandboxes has ended');
    const answered = new Promise<Said>((resolve) => this.waiting.set(id, resolve));
    this.child.send({ id, ...question });
    const { origin = '', error } = await answered;
    if (error !== undefined) throw new Error(error);
    return { id, origin };
  }
}

interface Running {
  readonly id: number;
  readonly shared: string;
  readonly url: string;
  readonly line?: FaultyProxy;
}

/** Begun while the specs themselves are being loaded. */
const host = globalThis.SANDBOX === 'network' ? new SandboxHost() : undefined;
afterAll(() => host?.end());
/** A service for each data directory: an API that is stopped and started again finds its acquirer as it was. */
const services = new Map<string, Running>();

/** The settings with which a test's API finds its sandbox where the run wants it; `given` are the test's own. */
export async function sandboxSettings(
  dataDir: string,
  given: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  if (!host) return {};
  const settings = { ...PACE, ...given };
  const shared = JSON.stringify(sharedIn(settings));
  if (services.get(dataDir)?.shared !== shared) await removeSandbox(dataDir);
  const running = services.get(dataDir) ?? (await started(host, dataDir, settings));
  services.set(dataDir, running);
  return { ...PACE, SANDBOX: 'network', SANDBOX_URL: running.url, SANDBOX_SECRET };
}

export async function removeSandbox(dataDir: string): Promise<void> {
  const running = services.get(dataDir);
  services.delete(dataDir);
  await running?.line?.close();
  if (running) await host?.ask({ stop: running.id });
}

/** Requests that reached the sandbox of this data directory over a network that is watched; 0 elsewhere. */
export function requestsOnLine(dataDir: string): number {
  return services.get(dataDir)?.line?.requests ?? 0;
}

async function started(
  sandboxes: SandboxHost,
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<Running> {
  const shared = sharedIn(settings);
  // Within the directory that is searched for what must not be in it, and removed.
  const books = join(dataDir, 'acquirer');
  mkdirSync(books, { recursive: true });
  const { id, origin } = await sandboxes.ask({
    start: {
      SANDBOX_PORT: '0',
      SANDBOX_DATA_DIR: books,
      SANDBOX_SECRET,
      ...shared,
    },
  });
  const { port } = new URL(origin);
  const running = { id, shared: JSON.stringify(shared) };
  const fault = globalThis.SANDBOX_LINE;
  if (fault === undefined) return { ...running, url: `http://127.0.0.1:${port}` };
  const { openFaultyProxy } = await import('@tillstream/processors/testing');
  const line = await openFaultyProxy(Number(port), FAULTS[fault]);
  return { ...running, url: `http://127.0.0.1:${line.port}`, line };
}

function sharedIn(settings: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    SHARED.flatMap((name) => (name in settings ? [[name, settings[name] ?? '']] : [])),
  );
}
