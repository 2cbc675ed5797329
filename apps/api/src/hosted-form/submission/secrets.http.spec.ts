import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createLog } from '@tillstream/platform';
import { startTestApi, type Reply, type TestApi } from '../../testing/test.api.js';
import { removeSandbox } from '../../testing/test.sandbox.js';
import { removeStore } from '../../testing/test.store.js';
import { ADDRESS, card, entered, open, TestForm, VISA } from '../form.testing.js';

const DECLINED = '4000000000000002';
const PERSON = { ...ADDRESS, name: 'Secret Person', address: '7 Secret Street' };
const contact = { email: 'secret.person@example.com', phone: '+1 617 555 0177' };

let api: TestApi;
const logged: string[] = [];
const traces: string[] = [];
const seen: Reply[] = [];
const replays: (readonly [Reply, Reply])[] = [];
const sessions: string[] = [];
let metrics = '';
let collector: Server;

beforeAll(async () => {
  collector = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => void traces.push(chunk.toString('utf8')));
    request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const log = createLog('debug', { write: (line: string) => void logged.push(line) });
  api = await startTestApi({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` }, log);
  const formConfig = { billingInfoCaptureLevel: 'Full', piiFields: ['Email', 'Phone'] };
  for (const name of ['virtual-sale', 'virtual-auth', 'unreferenced-virtual-refund', 'token']) {
    const headers = { 'idempotency-key': `sealed-${name}` };
    const opening = await open(api, name, { formConfig }, { headers });
    const again = await open(api, name, { formConfig }, { headers });
    replays.push([opening, again]);
    const form = TestForm.of(api, opening);
    sessions.push(form.sessionId);
    for (const number of [VISA.replace(/.$/, '1'), DECLINED, VISA])
      seen.push(await form.submit({ card: card(number), billingContact: PERSON, ...contact }));
    seen.push(await form.submit(entered()), await form.cancel());
    seen.push(await api.get(`/pay/${form.sessionId}`, { key: null }));
    seen.push(await api.get(`/pay/${form.sessionId}/unknown`, { key: null }));
    seen.push(await api.get(`/pay/${form.sessionId}/session?card=${VISA}`, { key: null }));
    seen.push(await api.get(`/v1/transactions/${form.id}/events`));
  }
  ({ text: metrics } = await api.get('/metrics', { key: null }));
  await api.stop({ keepData: true });
});
afterAll(async () => {
  collector.closeAllConnections();
  await new Promise((resolve) => collector.close(resolve));
  await removeStore(api.dataDir);
  await removeSandbox(api.dataDir);
  rmSync(api.dataDir, { recursive: true, force: true });
});

const files = (directory: string): string[] =>
  readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });

/** Everything that outlives the calls, by its place. */
function* places(): Iterable<readonly [string, Buffer]> {
  yield ['log', Buffer.from(logged.join(''))];
  yield ['traces', Buffer.from(traces.join(''))];
  yield ['metrics', Buffer.from(metrics)];
  for (const file of files(api.dataDir)) yield [file, readFileSync(file)];
}

const found = (secrets: readonly string[]): string[] =>
  [...places()].flatMap(([place, bytes]) =>
    secrets.filter((secret) => bytes.includes(secret)).map((secret) => `${secret} in ${place}`),
  );

describe('Of what a customer sends,', () => {
  it('something is logged, traced and counted', () => {
    expect(logged.join('')).toContain('"route":"/pay/:sessionId/submit"');
    expect(logged.join('')).toContain(`"merchantId":"${api.running.facts.merchantId}"`);
    expect(traces.join('')).toContain('/pay/:sessionId/submit');
    expect(metrics).toContain('/pay/:sessionId/submit');
  });

  it('the card number is nowhere', () => {
    expect(found([VISA, DECLINED, VISA.replace(/.$/, '1')])).toEqual([]);
    for (const { text } of seen) expect(text).not.toMatch(/4242424242424|4000000000000002/);
  });

  it('the verification value is not even named', () => {
    expect(found(['"cvv"'])).toEqual([]);
  });

  it('name, address, e-mail and phone are nowhere in the clear', () => {
    expect(found([PERSON.name, PERSON.address, contact.email, contact.phone])).toEqual([]);
  });
});

describe('The session id of a form', () => {
  it('is in no log, trace, metric or file, with stored responses too', () => {
    expect(sessions).toHaveLength(4);
    for (const [first, again] of replays)
      expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    expect(found(sessions)).toEqual([]);
  });

  it('is in no history', () => {
    const histories = seen.filter(({ text }) => text.includes('"sequence"'));
    expect(histories).toHaveLength(4);
    for (const { text } of histories) expect(text).not.toMatch(/ses_|sessionHash/);
  });
});
