import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free.port.js';

const DEPLOY = new URL('../../../../docs/deploy/', import.meta.url);
/** Debian has it where only the superuser's shell looks. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;

/** HAProxy with `docs/deploy/haproxy.cfg`: only addresses and the place of the certificate are others. */
export class ProxyProcess {
  private readonly folder = mkdtempSync(join(tmpdir(), 'tillstream-proxy-'));
  private readonly file = join(this.folder, 'haproxy.cfg');
  private process: ChildProcess | undefined;
  origin = '';

  /** @param instances Ports of api-1 and api-2. */
  constructor(private readonly instances: readonly [number, number]) {}

  async start(): Promise<void> {
    const [port, securePort] = [await freePort(), await freePort()];
    this.makeCertificate();
    const [one, two] = this.instances;
    const config = readFileSync(new URL('haproxy.cfg', DEPLOY), 'utf8')
      .replaceAll('api-1:3000', `127.0.0.1:${one}`)
      .replaceAll('api-2:3000', `127.0.0.1:${two}`)
      .replace('bind :8080', `bind 127.0.0.1:${port}`)
      .replace('bind :8443', `bind 127.0.0.1:${securePort}`)
      .replace('/certificates/', `${this.folder}/certificates/`);
    writeFileSync(this.file, config);
    this.process = spawn('haproxy', ['-db', '-f', this.file], { env: { PATH }, stdio: 'ignore' });
    await once(this.process, 'spawn');
    this.origin = `http://127.0.0.1:${port}`;
  }

  /** What HAProxy says about the file as it is, without a start. @throws Error with its output if it is wrong */
  check(): string {
    const text = readFileSync(new URL('haproxy.cfg', DEPLOY), 'utf8');
    const file = join(this.folder, 'unchanged.cfg');
    writeFileSync(file, text.replace('/certificates/', `${this.folder}/certificates/`));
    return execFileSync('haproxy', ['-c', '-f', file], { env: { PATH }, encoding: 'utf8', stdio: 'pipe' });
  }

  async stop(): Promise<void> {
    if (this.process?.exitCode === null && this.process.kill('SIGKILL')) await once(this.process, 'exit');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private makeCertificate(): void {
    const script = fileURLToPath(new URL('certificates.sh', DEPLOY));
    const env = { PATH, EVENTSTORE_PASSWORD: 'unused', POSTGRES_PASSWORD: 'unused' };
    const folders = [join(this.folder, 'certificates'), join(this.folder, 'authorities')];
    execFileSync('sh', [script, ...folders], { env, stdio: 'ignore' });
  }
}
