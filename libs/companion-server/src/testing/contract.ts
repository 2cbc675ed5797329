import { afterEach, expect, it } from '@jest/globals';
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const START_WITHIN_MS = 25_000;

export interface CompanionUnderTest {
  /** In the names of the tests, as `A settlement projector`. */
  readonly name: string;
  /** The path of the bundled program. */
  readonly main: string;
  /** The event of the log line that has the port of the health endpoint. */
  readonly startedEvent: string;
  readonly portSetting: string;
  /** The label `app` of its metrics. */
  readonly app: string;
  /** Lines of its metrics at rest, without their prefix and `app`. */
  readonly metrics: readonly string[];
}

/** Of a program that runs beside the API, or on its own. */
export function companionContract({
  name,
  main,
  startedEvent,
  portSetting,
  app,
  metrics,
}: CompanionUnderTest): void {
  const processes = new CompanionProcesses(main, startedEvent);
  afterEach(() => processes.end());

  it(`${name} on its own is live and ready, and stops with 0 on a signal`, async () => {
    const child = processes.spawnAlone();
    const port = await processes.started(child);
    for (const [path, body] of [
      ['live', { status: 'live' }],
      ['ready', { status: 'ready', reasons: [] }],
    ] as const) {
      const response = await fetch(`http://127.0.0.1:${port}/health/${path}`);
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject(body);
    }
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const label = `app="${app}"`;
    const labelled = text
      .split('\n')
      .filter((line) => line.startsWith('tillstream_') && line.includes(label));
    const own = new RegExp(`,?${label}|^tillstream_`, 'g');
    expect(labelled.map((line) => line.replace(own, '').replace('{}', ''))).toEqual(
      expect.arrayContaining([...metrics]),
    );
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it(`${name} beside the API ends when its channel closes, also before it has started`, async () => {
    const [ready, loading] = [processes.forkBeside(), processes.forkBeside()];
    const endedWhileLoading = once(loading, 'exit');
    loading.disconnect();
    await processes.started(ready);
    const ended = once(ready, 'exit');
    ready.disconnect();
    expect(await Promise.all([ended, endedWhileLoading])).toEqual([
      [0, null],
      [0, null],
    ]);
  });

  it(`${name} reports a wrong setting and a port in use in one sentence`, async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const port = String((taken.address() as AddressInfo).port);
    const [wrong, busy] = [
      processes.spawnAlone({ [portSetting]: 'any' }),
      processes.spawnAlone({ [portSetting]: port, LOG_LEVEL: 'silent' }),
    ];
    const [wrongOutput, busyOutput] = [collectStderr(wrong), collectStderr(busy)];
    const ends = await Promise.all([once(wrong, 'close'), once(busy, 'close')]);
    expect(ends.map(([code]: unknown[]) => code)).toEqual([2, 1]);
    expect(wrongOutput.text).toMatch(new RegExp(`^${portSetting} is "any"; [^\n]+\\.\n$`));
    expect(busyOutput.text).toMatch(new RegExp(`^Port ${port} is taken [^\n]+\\.\n$`));
    taken.close();
  });
}

/** The processes of one test, each with a data directory of its own. */
class CompanionProcesses {
  readonly #directories: string[] = [];
  readonly #running: ChildProcess[] = [];

  constructor(
    private readonly main: string,
    private readonly startedEvent: string,
  ) {}

  spawnAlone(settings: Readonly<Record<string, string>> = {}): ChildProcess {
    const env = this.#environment(settings);
    return this.#kept(spawn(process.execPath, [this.main], { cwd: tmpdir(), env }));
  }

  forkBeside(): ChildProcess {
    const env = this.#environment();
    const stdio = ['ignore', 'ignore', 'pipe', 'ipc'] as const;
    return this.#kept(fork(this.main, [], { cwd: tmpdir(), env, execArgv: [], stdio: [...stdio] }));
  }

  /** Resolves with the port of the health endpoint. */
  async started(child: ChildProcess): Promise<number> {
    const read = collectStderr(child);
    const started = new RegExp(`"event":"${this.startedEvent}".*"port":(\\d+)`);
    for (const until = Date.now() + START_WITHIN_MS; Date.now() < until;) {
      const port = started.exec(read.text)?.[1];
      if (port !== undefined) return Number(port);
      if (child.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`it did not start: ${read.text}`);
  }

  end(): void {
    for (const child of this.#running.splice(0)) child.kill('SIGKILL');
    for (const directory of this.#directories.splice(0)) rmSync(directory, { recursive: true, force: true });
  }

  #environment(settings: Readonly<Record<string, string>> = {}): Record<string, string> {
    const dataDir = mkdtempSync(join(tmpdir(), 'tillstream-companion-'));
    this.#directories.push(dataDir);
    const { PATH = '' } = process.env;
    return { PATH, DATA_DIR: dataDir, ...settings };
  }

  #kept(child: ChildProcess): ChildProcess {
    this.#running.push(child);
    return child;
  }
}

function collectStderr(child: ChildProcess): { readonly text: string } {
  const read = { text: '' };
  child.stderr?.on('data', (chunk: Buffer) => (read.text += chunk.toString('utf8')));
  return read;
}
