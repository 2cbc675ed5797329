import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { missingFrom, script, stopsOf } from './tour.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const stops = stopsOf(readFileSync(join(root, 'README.md'), 'utf8'));
const SEPARATOR = '--- next stop ---';
const READY_WITHIN_MS = 60_000;

describe("The README's tour, pasted block by block into one shell,", () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tour-'));
  let service: ChildProcess | undefined;
  let outputs: readonly string[] = [];

  beforeAll(async () => {
    service = await startService({
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'silent',
      // Short deadlines for the stops without a processor response.
      PROCESSOR_DEADLINE_MS: '1000',
      SEND_WITHIN_MS: '1000',
      INQUIRY_MARGIN_MS: '500',
    });
    const settings = { DATA_DIR: dataDir, SHOP_PORT: String(await freePort()) };
    outputs = (await bash(script(stops, SEPARATOR), settings)).split(SEPARATOR);
  }, 120_000);

  afterAll(() => {
    service?.kill('SIGKILL');
    rmSync(dataDir, { recursive: true });
  });

  it('has at least ten stops', () => {
    expect(stops.length).toBeGreaterThanOrEqual(10);
  });

  it.each(stops.map(({ line }, index) => [line, index]))('prints what README.md:%i says', (_line, index) => {
    const output = outputs[index] ?? '';
    const missing = missingFrom(output, stops[index]?.expected ?? []);
    expect(missing && { missing, output }).toBeUndefined();
  });

  it('ends with exit code 0 after Ctrl-C', async () => {
    const ended = once(service!, 'exit');
    service?.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  });
});

describe('A tour', () => {
  const readme = [
    '```sh\nno\n```',
    '<!-- tour -->',
    '```sh',
    'echo one two',
    '# → one',
    '# → two',
    '```',
    '<!-- /tour -->',
  ];

  it('is the text between the marks', () => {
    const [stop] = stopsOf(readme.join('\n'));
    expect(stop).toEqual({ line: 6, commands: 'echo one two\n# → one\n# → two', expected: ['one', 'two'] });
  });

  it('expects its texts in their order', () => {
    expect(missingFrom('one two', ['one', 'two'])).toBeUndefined();
    expect(missingFrom('two one', ['one', 'two'])).toBe('two');
  });

  it('has to be there', () => {
    expect(() => stopsOf('# Nothing')).toThrow('no tour');
  });
});

/** Starts the built service. Rejects if it ends or is not ready in time. */
async function startService(settings: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(root, 'apps/api/dist/bundled/main.js')], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const until = Date.now() + READY_WITHIN_MS;
  // The service writes the file right before it is ready.
  while (!existsSync(join(settings['DATA_DIR'] ?? '', 'sandbox.json'))) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    if (Date.now() > until) {
      child.kill('SIGKILL');
      throw new Error(`the service was not ready within ${READY_WITHIN_MS} ms`);
    }
    await setTimeout(50);
  }
  return child;
}

/** A port that no process listens on at this moment, so that tours beside each other do not meet. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs the commands in one bash and returns what it prints. */
function bash(commands: string, settings: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve, reject) => {
    const shell = spawn('bash', ['-u'], { cwd: root, env: { ...process.env, ...settings } });
    let printed = '';
    shell.stdout.on('data', (data: Buffer) => (printed += data.toString()));
    shell.stderr.on('data', (data: Buffer) => (printed += data.toString()));
    shell.once('error', reject);
    shell.once('close', () => resolve(printed));
    shell.stdin.end(commands);
  });
}
