import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RunningService } from './running.service.js';
import { missingFrom, script, stopsOf } from './tour.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const stops = stopsOf(readFileSync(join(root, 'README.md'), 'utf8'));
const SEPARATOR = '--- next stop ---';

describe("The README's tour, pasted block by block into one shell,", () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tour-'));
  let service: RunningService;
  let outputs: readonly string[] = [];

  beforeAll(async () => {
    service = await RunningService.start(root, {
      DATA_DIR: dataDir,
      PORT: '0',
      LOG_LEVEL: 'silent',
      // Short deadlines for the stops without a processor response.
      PROCESSOR_DEADLINE_MS: '1000',
      SEND_WITHIN_MS: '1000',
      INQUIRY_MARGIN_MS: '500',
    });
    outputs = (await bash(script(stops, SEPARATOR), { DATA_DIR: dataDir })).split(SEPARATOR);
  }, 120_000);

  afterAll(async () => {
    expect(await service?.stop()).toBe(0);
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

  it('is what stands between the marks', () => {
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
