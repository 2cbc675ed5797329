import { MetricsRegistry } from '@tillstream/platform';
import { startCompanionServer, type CompanionServer } from './companion.server.js';

let metrics: MetricsRegistry;
let reasons: readonly string[];
let server: CompanionServer;
beforeEach(async () => {
  reasons = [];
  metrics = new MetricsRegistry({ app: 'companion', version: '1', mode: 'sandbox' }, ['rare-event']);
  server = await startCompanionServer({
    ...{ host: '127.0.0.1', port: 0, metrics },
    notReady: () => Promise.resolve(reasons),
  });
});
afterEach(async () => {
  await server.close();
  metrics.close();
});

const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${server.port}${path}`);
const readiness = async (): Promise<unknown> => {
  const response = await get('/health/ready');
  return [response.status, await response.json()];
};

describe('A process beside the API', () => {
  it('is live as soon as it listens, and ready once it has started', async () => {
    expect(await (await get('/health/live')).json()).toEqual({ status: 'live' });
    const starting = { name: 'start', state: 'failed', reason: 'starting' };
    expect(await readiness()).toEqual([
      503,
      { status: 'unavailable', reasons: ['starting'], checks: [starting] },
    ]);
    server.closedBecause = undefined;
    expect(await readiness()).toEqual([
      200,
      { status: 'ready', reasons: [], checks: [{ name: 'stores', state: 'ok' }] },
    ]);
  });

  it('says why it can not work: 503', async () => {
    server.closedBecause = undefined;
    reasons = ['the disk is full'];
    const failed = { name: 'stores', state: 'failed', reason: 'the disk is full' };
    expect(await readiness()).toEqual([503, { status: 'unavailable', reasons, checks: [failed] }]);
  });

  it('has metrics of the process, of its readiness, and of its errors from the first scrape on', async () => {
    server.closedBecause = undefined;
    const response = await get('/metrics');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/plain'),
    ]);
    const text = await response.text();
    expect(text).toContain('tillstream_ready{check="stores",app="companion"} 1\n');
    expect(text).toContain('tillstream_alerts_total{event="rare-event",app="companion"} 0\n');
    expect(text).toMatch(/^process_resident_memory_bytes\{app="companion"\} \d+$/m);
    expect(text).toMatch(/^tillstream_build_info\{version="1",mode="sandbox",.*\} 1$/m);
  });

  it('has nothing else', async () => {
    for (const path of ['/', '/health', '/metrics/x']) expect((await get(path)).status).toBe(404);
  });
});
