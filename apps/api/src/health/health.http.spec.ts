import type { Adapters } from '@tillstream/platform';
import { startTestApi } from '../testing/test.api.js';
import { HealthController } from './health.controller.js';

describe('Health', () => {
  it('is live and ready, without a key, once the service has started', async () => {
    const api = await startTestApi();
    const live = await api.get('/health/live', { key: null });
    expect([live.status, live.text]).toEqual([200, '{"status":"live"}']);
    const ready = await api.get('/health/ready', { key: null });
    expect([ready.status, ready.text]).toEqual([200, '{"status":"ready","reasons":[]}']);
    await api.stop();
  });

  it.each([
    ['the store can not be written', undefined, ['disk full']],
    ['it is still starting, or stopping', 'stopping', []],
  ])('is 503 with the reason where %s', async (_what, closedBecause, notReady) => {
    const adapters = { notReady: () => Promise.resolve(notReady) } as unknown as Adapters;
    const { status, body } = await new HealthController(adapters, { closedBecause }).ready();
    expect(status).toBe(503);
    expect(JSON.parse(body)).toEqual({ status: 'unavailable', reasons: [closedBecause ?? 'disk full'] });
  });
});
