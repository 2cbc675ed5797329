import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { SandboxFacts } from '@tillstream/contracts';
import { tillstream } from '../tillstream.command.js';

const SERVICE = fileURLToPath(new URL('../../../../apps/api/dist/bundled/main.js', import.meta.url));
const READY_WITHIN_MS = 90_000;

/** A service in a process of its own, and the command line beside it. */
export class ServiceFixture {
  readonly directory = mkdtempSync(join(tmpdir(), 'tillstream-report-'));
  private readonly process: ChildProcess;
  private readonly proxies: Server[] = [];

  private constructor() {
    const { PATH = '' } = process.env;
    const alone = { SETTLEMENT_PROJECTOR: 'elsewhere', WEBHOOK_DISPATCHER: 'elsewhere', LOG_LEVEL: 'warn' };
    this.process = spawn(process.execPath, [SERVICE], {
      env: { PATH, PORT: '0', DATA_DIR: this.directory, ...alone },
      cwd: this.directory,
      stdio: 'ignore',
    });
  }

  static async start(): Promise<ServiceFixture> {
    const fixture = new ServiceFixture();
    const until = performance.now() + READY_WITHIN_MS;
    while (!(await fixture.isReady())) {
      if (performance.now() > until || fixture.process.exitCode !== null)
        throw new Error('the service did not start');
      await pause(100);
    }
    return fixture;
  }

  get facts(): SandboxFacts {
    return JSON.parse(readFileSync(join(this.directory, 'sandbox.json'), 'utf8')) as SandboxFacts;
  }

  post<Resource>(path: string, body: object, key = this.facts.apiKey): Promise<Resource> {
    return call<Resource>(this.facts.baseUrl + path, key, body);
  }

  readonly operate = <Resource>(path: string, body: object): Promise<Resource> => {
    const { adminBaseUrl, adminKey } = this.facts;
    return call<Resource>(adminBaseUrl + path, adminKey, body);
  };

  /** An address that answers as the service does, with `change` made to each body. */
  async changed(change: (path: string, body: string) => string): Promise<string> {
    const { origin } = new URL(this.facts.baseUrl);
    const proxy = createServer((request, response) => {
      const headers = { 'x-api-key': String(request.headers['x-api-key']) };
      void fetch(origin + request.url, { headers }).then(async (answer) => {
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(change(request.url ?? '', await answer.text()));
      });
    });
    this.proxies.push(proxy);
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const address = proxy.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  async run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const [lines, errors]: [string[], string[]] = [[], []];
    const code = await tillstream(args, {
      environment: { DATA_DIR: this.directory, ...environment },
      terminal: { line: (text) => void lines.push(text), error: (text) => void errors.push(text) },
      user: 'ada',
      version: '1.2.3',
      signal: () => new AbortController().signal,
      runTool: () => Promise.resolve(0),
    });
    return { code, out: lines.join('\n'), err: errors.join('\n') };
  }

  async stop(): Promise<void> {
    for (const proxy of this.proxies) proxy.close();
    this.process.kill('SIGKILL');
    if (this.process.exitCode === null) await once(this.process, 'close');
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async isReady(): Promise<boolean> {
    try {
      const { origin } = new URL(this.facts.baseUrl);
      return (await fetch(`${origin}/health/ready`)).status === 200;
    } catch {
      return false;
    }
  }
}

async function call<Resource>(url: string, key: string, body: object): Promise<Resource> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text}`);
  return JSON.parse(text) as Resource;
}
