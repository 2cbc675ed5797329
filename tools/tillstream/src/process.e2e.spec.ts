import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DataDirectoryFixture } from './data-directory.fixture.js';

/** What a test of processes may take on a machine with much other work. */
const LIMIT_MS = 120_000;
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PROGRAM = at('../dist/main.js');
const SERVICE = at('../../../apps/api/dist/bundled/main.js');

describe('The program, beside a running service', () => {
  const fixture = new DataDirectoryFixture();
  const children: ChildProcess[] = [];

  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await fixture.remove();
  });

  function start(program: string, ...args: string[]) {
    const { PATH = '' } = process.env;
    const child = spawn(process.execPath, [program, ...args], {
      env: {
        PATH,
        DATA_DIR: fixture.directory,
        PORT: '0',
        SETTLEMENT_PROJECTOR: 'elsewhere',
        WEBHOOK_DISPATCHER: 'elsewhere',
        LOG_LEVEL: 'warn',
      },
      // The `.env` of the user who runs the test must not be read.
      cwd: fixture.directory,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text));
    const ended = once(child, 'close').then(([code]: unknown[]) => ({ code, ...said }));
    return { child, ended };
  }
  const run = (...args: string[]) => start(PROGRAM, ...args).ended;

  it(
    'sees that it is ready, rotates its key, exports a sale, and rebuilds and verifies as the other commands do',
    async () => {
      for (const program of [PROGRAM, SERVICE])
        expect([program, existsSync(program)]).toEqual([program, true]);
      const service = start(SERVICE);
      const file = join(fixture.directory, 'sandbox.json');
      const end = performance.now() + LIMIT_MS / 2;
      while (!existsSync(file) && performance.now() < end) await pause(50);
      const facts = () => JSON.parse(readFileSync(file, 'utf8'));

      let status = await run('status', '--json');
      while (status.code !== 0 && performance.now() < end) status = await run('status', '--json');
      expect([status.code, status.err]).toEqual([0, '']);
      expect(JSON.parse(status.out)).toMatchObject({
        service: { reachable: true, ready: true, apiVersion: expect.stringMatching(/^\d{4}\./) as string },
        problems: [],
      });

      const { adminKey, adminBaseUrl, apiKey, baseUrl } = facts();
      const rotated = await run('keys', 'rotate', 'Demo operator');
      expect(rotated.code).toBe(0);
      expect([facts().adminKey, facts().adminKey === adminKey]).toEqual([rotated.out.trim(), false]);
      const answers = async (key: string) =>
        (await fetch(`${adminBaseUrl}/merchants`, { headers: { 'x-api-key': key } })).status;
      expect(await answers(facts().adminKey)).toBe(200);

      const sale = await fetch(`${baseUrl}/transactions/physical-sale`, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
        body: '{"amount":1500}',
      });
      const { id } = (await sale.json()) as { readonly id: string };
      const exported = await run('export', id);
      expect(exported.code).toBe(0);
      expect(JSON.parse(exported.out)).toMatchObject({ transactionId: id, chain: { status: 'Intact' } });

      const rebuilt = await run('rebuild', '--projection', 'transactions');
      expect([rebuilt.code, rebuilt.out]).toEqual([
        0,
        expect.stringMatching(/^transactions: 1 rows from .*; live now\n$/),
      ]);
      const verified = await run('verify');
      expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('every chain intact')]);
      const wrong = await run('rebuild', '--projection', 'dreams');
      expect([wrong.code, wrong.err]).toEqual([
        2,
        expect.stringContaining("argument 'dreams' is invalid. Allowed are transactions"),
      ]);

      service.child.kill('SIGTERM');
      await service.ended;
      expect((await run('status')).code).toBe(1);
    },
    LIMIT_MS,
  );
});
