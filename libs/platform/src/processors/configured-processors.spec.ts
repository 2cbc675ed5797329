import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../configuration/config.js';
import { noLog, type Log } from '../logging/log.js';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import { openConfiguredProcessors, type ConfiguredProcessors } from './configured-processors.js';
import { readSandboxServiceConfig } from '../configuration/config.js';
import { movableClock, openClockOffset, type MovableClock } from '../stores/service.clock.js';

const dataDir = mkdtempSync(join(tmpdir(), 'processor-choice-'));
const opened: ConfiguredProcessors[] = [];
const files: SqliteEventStore[] = [];
const servers: Server[] = [];
const reports: string[] = [];
const log: Log = { ...noLog, warn: (_, fields) => void reports.push(String(fields?.['reason'])) };
const SECRET = 'a-secret-of-the-tests';

interface OpenedProcessors extends ConfiguredProcessors {
  readonly clock: MovableClock;
}

async function openWith(settings: Record<string, string>): Promise<OpenedProcessors> {
  const file = await openSqliteEventStore({ file: join(dataDir, 'events.db') });
  files.push(file);
  const offset = await openClockOffset(dataDir, file);
  const one = await openConfiguredProcessors(readConfig({ DATA_DIR: dataDir, ...settings }), offset, log);
  opened.push(one);
  return { ...one, clock: movableClock(offset, () => one.clockMoved()) };
}
/** Starts a server that answers every request like this. An object gets the id of its call. */
async function startServer(status: number, body: object | string): Promise<string> {
  const server = createServer((request, response) => {
    const callId = request.headers['x-call-id'];
    const text = typeof body === 'string' ? body : `${JSON.stringify({ callId, ...body })}\n`;
    response.writeHead(status).end(text);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const network = (url: string) => openWith({ SANDBOX: 'network', SANDBOX_URL: url, SANDBOX_SECRET: SECRET });
const about = { service: 'tillstream-sandbox', processorDeadlineMs: 10_000, clockOffsetMs: 0 };

afterEach(async () => {
  for (const one of opened.splice(0)) one.close();
  for (const file of files.splice(0)) await file.close();
  for (const server of servers.splice(0)) server.close();
  reports.splice(0);
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe('The sandbox', () => {
  it('is in this process by default, without trouble', async () => {
    const one = await openWith({});
    expect([await one.trouble(), await one.wrongSettings()]).toEqual([[], []]);
    expect((await one.terminals.set('pmt_trm_1', { mode: 'Offline', card: null })).mode).toBe('Offline');
    await expect(one.clock.advance(0)).rejects.toMatchObject({ code: 'OutOfRange' });
  });

  it('over a network is used if it answers like a sandbox', async () => {
    const one = await network(await startServer(200, about));
    expect([await one.trouble(), await one.wrongSettings(), reports]).toEqual([[], [], []]);
  });

  it('that is down does not prevent the start, and is reported', async () => {
    const one = await network('http://127.0.0.1:1');
    const away = 'the sandbox at http://127.0.0.1:1 can not be reached: the processor refused the connection';
    expect([await one.trouble(), reports]).toEqual([[away], [away]]);
  });

  it('is reported if it is down, also while another one can be reached', async () => {
    const settings = { MORE_SANDBOXES: 'pier=http://127.0.0.1:1', SANDBOX_SECRET: SECRET };
    const one = await openWith(settings);
    expect(one.processors.map(({ name }) => name)).toEqual(['sandbox', 'pier']);
    expect(await one.trouble()).toEqual([
      expect.stringMatching(/^the sandbox at http:..127.0.0.1:1 can not/),
    ]);
  });

  it.each([
    ['a wrong secret', 401, { refused: 'no' }, /^SANDBOX_SECRET is not the secret [^\n]+\.$/],
    [
      'another program',
      200,
      '<h1>It works</h1>',
      /^SANDBOX_URL is http:\/\/127[^\n]+ another program answers; [^\n]+\.$/,
    ],
    [
      'another deadline',
      200,
      { ...about, processorDeadlineMs: 5 },
      /^PROCESSOR_DEADLINE_MS is 10000, and 5 [^\n]+\.$/,
    ],
  ])('with %s stops the start with one sentence', async (_, status, body, sentence) => {
    await expect(network(await startServer(status, body))).rejects.toThrow(sentence);
  });

  it('takes the service’s clock from DATA_DIR, also over a network', async () => {
    const before = await openWith({});
    await before.clock.advance(3_600);
    const after = await network(await startServer(200, about));
    expect(after.clock.offsetSeconds()).toBe(before.clock.offsetSeconds());
    await after.clock.advance(60);
    expect(before.clock.offsetSeconds()).toBe(after.clock.offsetSeconds());
  });
});

describe('The 3-D Secure server', () => {
  const request = (key: string, now = Date.now()) => ({
    key,
    merchantId: 'mer_1',
    merchantName: 'Maple Street Books',
    amount: 1_250,
    currency: 'USD' as const,
    card: { number: '4000000000003220', expDate: '1299' },
    challengeExpiresAt: new Date(now + 600_000).toISOString(),
    deadlineMs: 5_000,
  });

  it("is that of the first sandbox, whose challenges end by the service's clock", async () => {
    const { threeDs, challenges, clock } = await openWith({ MORE_SANDBOXES: 'pier=embedded' });
    expect(threeDs.name).toBe('sandbox');
    const result = await threeDs.authenticate(request('trx_1.1', clock.now()));
    const { challengeId } = result as Extract<typeof result, { kind: 'ChallengeRequired' }>;
    expect(await challenges.find(challengeId)).toMatchObject({ state: 'Open', key: 'trx_1.1' });
    await clock.advance(86_400);
    expect(await challenges.answer(challengeId, '123456')).toMatchObject({ state: 'Expired' });
  });

  it('of a sandbox that is down gives no answer, and does not prevent the start', async () => {
    const { threeDs } = await network('http://127.0.0.1:1');
    expect(await threeDs.authenticate(request('trx_1.1'))).toEqual({ kind: 'NoAnswer' });
  });
});

describe('Its settings', () => {
  it.each([
    ['SANDBOX_URL', '127.0.0.1:3100'],
    ['SANDBOX_URL', 'ftp://127.0.0.1'],
    ['SANDBOX_URL', 'http://user:hunter2@127.0.0.1:3100'],
    ['SANDBOX_URL', 'http://127.0.0.1:3100/v1'],
    ['SANDBOX_SECRET', 'hunter2'],
    ['SANDBOX_CONNECTIONS', '0'],
    ['SANDBOX', 'remote'],
  ])('%s=%s is refused with one sentence, and what may be a secret is not repeated', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} is [^\n]+\\.$`));
    expect(() => readConfig({ [name]: value })).toThrow(/^(?!.*hunter2)/);
  });

  it('need a secret over a network, for the API and for the sandbox itself', () => {
    expect(() => readConfig({ SANDBOX: 'network' })).toThrow(/^SANDBOX_SECRET is missing, [^\n]+\.$/);
    expect(() => readSandboxServiceConfig({})).toThrow(/^SANDBOX_SECRET is missing; [^\n]+\.$/);
    expect(readSandboxServiceConfig({ SANDBOX_SECRET: SECRET })).toMatchObject({
      port: 3_100,
      host: '127.0.0.1',
      processorDeadline: 10_000,
    });
  });
});
