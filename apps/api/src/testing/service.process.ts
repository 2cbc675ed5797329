import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxFacts } from '@tillstream/contracts';

const MAIN = new URL('../../dist/bundled/main.js', import.meta.url).pathname;

export const emptyDirectory = (): string => mkdtempSync(join(tmpdir(), 'tillstream-main-'));

/** `npm start` without its build, as a process of its own. */
export class ServiceProcess {
  readonly process: ChildProcess;
  stdout = '';
  stderr = '';
  private readonly ended: Promise<unknown[]>;

  constructor(
    readonly dataDir: string,
    settings: Record<string, string> = {},
    args: readonly string[] = [],
  ) {
    const { PATH = '' } = process.env;
    // A test that is about what runs beside it says so.
    const alone = { SETTLEMENT_PROJECTOR: 'elsewhere', WEBHOOK_DISPATCHER: 'elsewhere' };
    const env = { PATH, PORT: '0', DATA_DIR: dataDir, ...alone, ...settings };
    this.process = spawn(process.execPath, [MAIN, ...args], { env, cwd: tmpdir() });
    this.process.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString('utf8')));
    this.process.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString('utf8')));
    this.ended = once(this.process, 'close');
  }

  async started(): Promise<this> {
    const until = Date.now() + 60_000;
    while (!this.stdout.includes('Ctrl-C')) {
      if (this.process.exitCode !== null || Date.now() > until)
        throw new Error(`it did not start: ${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return this;
  }

  /** Exit code, or the signal that ended it. */
  async end(): Promise<number | string> {
    const [code, signal] = (await this.ended) as [number | null, string | null];
    return code ?? signal ?? '';
  }

  async stop(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | string> {
    this.process.kill(signal);
    return this.end();
  }

  /** What `sandbox.json` says now. */
  get facts(): SandboxFacts {
    return JSON.parse(readFileSync(join(this.dataDir, 'sandbox.json'), 'utf8')) as SandboxFacts;
  }

  sell(body: object, headers: Record<string, string> = {}): Promise<Response> {
    const { baseUrl, apiKey } = this.facts;
    return fetch(`${baseUrl}/transactions/physical-sale`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  /** As the demo merchant, unless a key is given. @throws Error for every status but 200 */
  call<Resource>(method: string, path: string, body?: object, key = this.facts.apiKey): Promise<Resource> {
    return answered(method, this.facts.baseUrl + path, body, key);
  }

  /** A call of the operators' API. @throws Error for every status but 200 */
  operate<Resource>(method: string, path: string, body?: object): Promise<Resource> {
    const { adminBaseUrl, adminKey } = this.facts;
    return answered(method, adminBaseUrl + path, body, adminKey);
  }
}

async function answered<Resource>(
  method: string,
  url: string,
  body: object | undefined,
  key: string,
): Promise<Resource> {
  const response = await fetch(url, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return JSON.parse(text) as Resource;
}
