import { Agent, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { Readiness, TransactionResult } from '@tillstream/contracts';
import { eventually } from '../testing/eventually.js';
import { startTestApi, type TestApi } from '../testing/test.api.js';

const STOP_DELAY_MS = 2_000;

interface Sent {
  readonly status: number;
  /** The header `connection`: whether the client may send another request on this connection. */
  readonly connection: string;
  readonly text: string;
}

describe('A service that stops', () => {
  const agent = new Agent({ keepAlive: true });
  let api: TestApi;

  beforeEach(async () => {
    // Long enough for a busy machine to see the request in progress.
    const deadlines = { PROCESSOR_DEADLINE_MS: '2000', SEND_WITHIN_MS: '1500' };
    api = await startTestApi({ STOP_DELAY_MS: String(STOP_DELAY_MS), ...deadlines });
  });
  afterAll(() => agent.destroy());

  async function send(method: string, path: string, body?: object): Promise<Sent> {
    const headers = { 'x-api-key': api.key, 'content-type': 'application/json' };
    const sent = request(api.running.origin + path, { agent, method, headers });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
    return { status: response.statusCode ?? 0, connection: response.headers.connection ?? '', text };
  }
  const sell = (amount: number): Promise<Sent> =>
    send('POST', '/v1/transactions/physical-sale', { amount, referenceId: `stop-${amount}` });

  it('says at once that it is not ready, and takes requests until its proxy has noticed', async () => {
    expect((await sell(1_000)).connection).toBe('keep-alive');
    const startedAt = performance.now();
    const stopped = api.stop();
    const ready = await send('GET', '/health/ready');
    expect([ready.status, (JSON.parse(ready.text) as Readiness).reasons]).toEqual([503, ['stopping']]);
    const sold = await sell(2_000);
    expect(JSON.parse(sold.text) as TransactionResult).toMatchObject({ status: 'Completed', amount: 2_000 });
    await stopped;
    expect(performance.now() - startedAt).toBeGreaterThan(STOP_DELAY_MS - 50);
    await expect(sell(3_000)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends each connection with its next response, so that no request meets a connection that is being closed', async () => {
    // The processor never answers this amount. The request is in progress when the stop begins.
    const inProgress = sell(920_001);
    await eventually(async () => {
      const metrics = await (await fetch(`${api.running.origin}/metrics`)).text();
      return /^tillstream_processor_calls_in_flight\{.*\} 1$/m.test(metrics);
    });
    const stopped = api.stop();
    const [first, later] = await Promise.all([inProgress, sell(2_100)]);
    expect([first.status, first.connection]).toEqual([500, 'close']);
    expect([later.status, later.connection]).toEqual([200, 'close']);
    await stopped;
  });
});
