import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { writeImage } from './image.js';

const PAGES = [
  '/docs',
  '/docs/swagger-ui.css',
  '/sandbox',
  '/sandbox/shop',
  '/sandbox/webhooks',
  '/payment-form.js',
];
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

describe('The folder of the image, with nothing else on the disk,', () => {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  const dataDir = mkdtempSync(join(tmpdir(), 'image-data-'));
  let service: ChildProcess;
  let origin = '';
  let env: NodeJS.ProcessEnv = {};

  beforeAll(async () => {
    await writeImage(ROOT, folder);
    const port = String(await freePort());
    origin = `http://127.0.0.1:${port}`;
    env = { PATH: process.env['PATH'], DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: port };
    const options = { cwd: folder, env, stdio: 'ignore' as const };
    service = spawn(process.execPath, ['apps/api/dist/bundled/main.js'], options);
    const isReady = () =>
      fetch(`${origin}/health/ready`)
        .then(({ ok }) => ok)
        .catch(() => false);
    while (service.exitCode === null && !(await isReady())) await setTimeout(100);
  });
  afterAll(async () => {
    if (service.exitCode === null && service.kill()) await once(service, 'exit');
    rmSync(folder, { recursive: true });
    rmSync(dataDir, { recursive: true });
  });

  it('runs the service, its pages and the script for pages included', async () => {
    for (const path of [...PAGES, '/health/ready', '/openapi.json']) {
      expect([path, (await fetch(`${origin}${path}`)).status]).toEqual([path, 200]);
    }
  });

  it.each([
    ['tillstream', ['status'], /events +sqlite/],
    ['tillstream', ['verify'], /every chain intact/],
    ['vault-keys', ['status'], /version 1 of the master key/],
    ['audit', ['--check', 'ledger'], /No difference/],
    ['rebuild', ['--help'], /rebuild/i],
    ['migrate-events', ['--help'], /Copies every event/],
  ])('runs the command %s %j', (tool, args, output) => {
    const options = { cwd: folder, env, encoding: 'utf8' as const };
    expect(execFileSync(process.execPath, [`tools/${tool}/dist/main.js`, ...args], options)).toMatch(output);
  });
});
