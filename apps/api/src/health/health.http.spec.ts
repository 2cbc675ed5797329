import { startTestApi } from '../testing/test.api.js';

describe('Health', () => {
  it('is live and ready, without a key, once the service has started', async () => {
    const api = await startTestApi();
    const live = await api.get('/health/live', { key: null });
    expect([live.status, live.text]).toEqual([200, '{"status":"live"}']);
    const ready = await api.get('/health/ready', { key: null });
    expect([ready.status, ready.text]).toEqual([200, '{"status":"ready","reasons":[]}']);
    await api.stop();
  });
});
