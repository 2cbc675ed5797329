import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  startEventStoreDbDouble,
  type EventStoreDbDouble,
} from '@tillstream/event-store-testing/eventstoredb';
import { eventually } from '../testing/eventually.js';
import { refusal, startTestApi, type TestApi } from '../testing/test.api.js';
import { entered, open, TestForm } from './form.testing.js';

describe('While the event store can not be read', () => {
  let server: EventStoreDbDouble;
  let api: TestApi;
  let form: TestForm;
  const fail = (call: Parameters<EventStoreDbDouble['inject']>[1]): void => {
    server.clearFaults();
    server.inject({ kind: 'NotReady' }, { ...call, times: 1_000_000 });
  };

  beforeAll(async () => {
    server = await startEventStoreDbDouble();
    api = await startTestApi({
      EVENT_STORE: 'eventstoredb',
      EVENTSTOREDB_URL: server.url,
      EVENTSTOREDB_DEADLINE_MS: '300',
    });
    form = await TestForm.open(api, 'virtual-sale');
    fail({ call: ['read', 'batchAppend', 'append'] });
  });
  afterAll(async () => {
    server.clearFaults();
    await api.stop();
    await server.close();
  });

  it('a form is not opened', async () => {
    expect(refusal(await open(api, 'virtual-sale'))).toBe('500 9000 Rejected');
    expect(refusal(await open(api, 'token'))).toBe('500 9000 Rejected');
  });

  it('the page of a form says that it can not be shown now', async () => {
    const { status, headers, text } = await api.get(`/pay/${form.sessionId}`, { key: null });
    expect([status, headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
    expect(text).toContain('This page can not be shown now');
  });

  it('a session is not shown, and a submission without a key did nothing', async () => {
    const session = await api.get(`/pay/${form.sessionId}/session`, { key: null });
    expect(refusal(session)).toBe('500 9000 Rejected');
    expect(refusal(await form.submit())).toBe('500 9000 Rejected');
    expect(refusal(await form.cancel())).toBe('500 9000 Rejected');
  });

  it('a submission with a key may repeat one that was executed', async () => {
    const headers = { 'idempotency-key': 'k' };
    expect(refusal(await form.submit(entered(), { headers }))).toBe('500 3000 Interrupted');
  });

  it('a submission that is not appended did nothing; with a key an earlier one may have', async () => {
    fail({ call: ['batchAppend', 'append'] });
    expect(refusal(await form.submit())).toBe('500 9000 Rejected');
    const headers = { 'idempotency-key': 'k' };
    expect(refusal(await form.submit(entered(), { headers }))).toBe('500 3000 Interrupted');
    server.clearFaults();
    expect(await form.session()).toMatchObject({ status: 'Pending', triesLeft: 5 });
    expect(await form.submitted(entered(), { headers })).toMatchObject({ responseCode: 1 });
  });
});

// Machines that share PostgreSQL are given the key: no file can be missing.
if (globalThis.SHARED_STORE !== 'postgres') {
  describe('While the keys of session ids can not be read', () => {
    let api: TestApi;
    beforeAll(async () => {
      api = await startTestApi();
    });
    afterAll(() => api.stop());

    it('no form is opened: 3202; open ones are still listed', async () => {
      const form = await TestForm.open(api, 'virtual-sale');
      const file = join(api.dataDir, 'vault.keys');
      const keys = readFileSync(file);
      rmSync(file);
      await eventually(async () => (await open(api, 'virtual-sale')).status === 500);
      expect(refusal(await open(api, 'virtual-sale'))).toBe('500 3202 Rejected');
      expect(refusal(await open(api, 'token'))).toBe('500 3202 Rejected');
      expect((await form.look()).form).toBeUndefined();
      expect((await api.list('/v1/transactions')).data.length).toBeGreaterThan(0);
      expect((await form.session()).status).toBe('Pending');
      writeFileSync(file, keys);
      chmodSync(file, 0o600);
      expect((await open(api, 'virtual-sale')).status).toBe(200);
    }, 30_000);
  });
}
