import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noLog, readConfig } from '@tillstream/platform';
import { startApi } from '../../start/api.start.js';
import { envelopeOf, FAST, refusal, startTestApi, TestApi } from '../../testing/test.api.js';
import { sandboxSettings } from '../../testing/test.sandbox.js';
import { storeSettings } from '../../testing/test.store.js';
import {
  answerOf,
  LOST,
  ONE_INQUIRY,
  operations,
  PATH,
  reason,
  untilInquired,
} from './unknown-outcomes.testing.js';

describe('An unknown outcome', () => {
  let api: TestApi;
  let act: ReturnType<typeof operations>;
  const unknown = async (): Promise<string> => {
    const id = await act.unknownSale();
    await untilInquired(api, id);
    return id;
  };
  beforeAll(async () => {
    api = await startTestApi(ONE_INQUIRY);
    act = operations(api);
  });
  afterAll(() => api.stop());

  it('resolved as Approved is approved: for its merchant, in lists, and in history with name and reason', async () => {
    const id = await unknown();
    const reply = await act.resolve(
      id,
      { outcome: 'Approved', reason, authCode: 'A1B2C3' },
      { headers: { 'x-actor': Buffer.from('Zoë').toString('latin1') } },
    );
    const { transaction, ...outcome } = answerOf(reply);
    expect(outcome).toMatchObject({ transactionId: id, amount: LOST, state: 'Known', inquiries: 1 });
    expect(outcome).not.toHaveProperty('nextInquiryAt');
    expect(transaction).toMatchObject({
      id,
      status: 'Completed',
      resultCode: 0,
      transactionResponses: [{ responseCode: 1, authCode: 'A1B2C3', amountApproved: LOST }],
    });
    expect(await api.look(id)).toEqual(transaction);
    expect((await api.list(`/v1/transactions?id=${id}`)).data).toEqual([transaction]);
    const { data } = await api.list<{ type: string; actor: object; reason?: string }>(
      `/v1/transactions/${id}/events`,
    );
    expect(data.at(-1)).toMatchObject({
      type: 'Captured',
      actor: { type: 'Operator', name: 'Zoë' },
      reason,
      data: { source: 'Operator' },
    });
  });

  it('resolved as Declined is declined, code 10; as NotReceived it is closed as not executed, code 50', async () => {
    for (const [outcome, responseCode] of [
      ['Declined', 10],
      ['NotReceived', 50],
    ] as const) {
      const id = await unknown();
      const { transaction } = answerOf(await act.resolve(id, { outcome, reason }));
      expect(transaction).toMatchObject({ status: 'Completed', resultCode: 0 });
      expect(transaction?.transactionResponses[0]).toMatchObject({ responseCode, amountApproved: 0 });
    }
  });

  it('resolved once is known: 400, 2011, saying what it is', async () => {
    const id = await unknown();
    await act.resolve(id, { outcome: 'Declined', reason });
    for (const reply of [await act.resolve(id, { outcome: 'Approved', reason }), await act.inquire(id)]) {
      expect(refusal(reply)).toBe('400 2011 Rejected');
      expect(envelopeOf(reply).message).toContain('declined (response code 10)');
    }
  });

  it('resolved under an Idempotency-Key is resolved once, and answered the same again', async () => {
    const id = await unknown();
    const call = { headers: { 'idempotency-key': 'resolve-1' } };
    const first = await act.resolve(id, { outcome: 'Approved', reason }, call);
    const again = await act.resolve(id, { outcome: 'Approved', reason }, call);
    expect([first.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('resolved as NotReceived, though the card was charged, is found late and reversed', async () => {
    const terminal = api.method('Front counter').id;
    await api.setTerminal(terminal, { mode: 'LostLink' });
    const id = await act.unknownSale(1_000);
    await untilInquired(api, id);
    await act.resolve(id, { outcome: 'NotReceived', reason });
    await api.setTerminal(terminal, {});
    const reply = await api.call('POST', '/admin/v1/sandbox/clock', { body: { advanceSeconds: 61 } });
    expect(JSON.parse(reply.text)).toMatchObject({ pending: 0 });
    const { data } = await api.list<{ type: string }>(`/v1/transactions/${id}/events`);
    expect(data.map(({ type }) => type).slice(-5)).toEqual([
      'NotExecuted',
      'LateApprovalFound',
      'ReversalRequested',
      'TryRequested',
      'Reversed',
    ]);
    expect((await api.look(id)).transactionResponses[0]?.responseCode).toBe(50);
  });

  describe('is not resolved', () => {
    const unknownId = `trx_${'0'.repeat(23)}P00`;
    it.each([
      [{}, 'outcome reason'],
      [{ outcome: 'Maybe', reason }, 'outcome'],
      [{ outcome: 'approved', reason }, 'outcome'],
      [{ outcome: 1, reason }, 'outcome'],
      [{ outcome: 'Approved' }, 'reason'],
      [{ outcome: 'Approved', reason: '' }, 'reason'],
      [{ outcome: 'Approved', reason: 'x'.repeat(501) }, 'reason'],
      [{ outcome: 'Approved', reason: 'a\u0000' }, 'reason'],
      [{ outcome: 'Approved', reason, authCode: '' }, 'authCode'],
      [{ outcome: 'Approved', reason, authCode: 'x'.repeat(21) }, 'authCode'],
      [{ outcome: 'Declined', reason, authCode: 'A1' }, 'authCode'],
      [{ outcome: 'NotReceived', reason, authCode: 'A1' }, 'authCode'],
      [{ outcome: 'Approved', reason, amount: 1 }, 'amount'],
    ])('by %j: 400, 2000', async (body, fields) => {
      expect(refusal(await act.resolve(unknownId, body))).toBe(`400 2000 Rejected ${fields}`);
    });

    it('without a body: 400, 2900; nor is it inquired into with fields', async () => {
      expect(refusal(await api.call('POST', `${PATH}/${unknownId}/resolve`))).toBe('400 2900 Rejected body');
      expect(refusal(await act.inquire(unknownId, { body: { now: true } }))).toBe('400 2000 Rejected now');
    });

    it('by a name of more than 100 characters: 400, 2000', async () => {
      const call = { headers: { 'x-actor': 'x'.repeat(101) } };
      const word = { outcome: 'Approved', reason };
      expect(refusal(await act.resolve(unknownId, word, call))).toBe('400 2000 Rejected x-actor');
      expect(refusal(await act.inquire(unknownId, call))).toBe('400 2000 Rejected x-actor');
    });

    it('where there is none: 404, 4000', async () => {
      for (const id of [unknownId, `trx_${'0'.repeat(23)}T00`, 'trx_x', api.running.facts.merchantId]) {
        const word = { outcome: 'Approved', reason: 'x'.repeat(500), authCode: 'x'.repeat(20) };
        expect(refusal(await act.resolve(id, word))).toBe('404 4000 Rejected');
        expect(refusal(await act.inquire(id))).toBe('404 4000 Rejected');
      }
    });

    it('by a merchant: 401, 1000', async () => {
      const call = { key: api.key };
      expect(refusal(await api.get(PATH, call))).toBe('401 1000 Rejected');
      expect(refusal(await act.inquire(unknownId, call))).toBe('401 1000 Rejected');
      expect(refusal(await act.resolve(unknownId, {}, call))).toBe('401 1000 Rejected');
    });
  });

  it('of a card that was to be stored is Declined or NotReceived, never Approved: 400, 2011', async () => {
    await api.setTerminal(api.method('Front counter').id, { mode: 'LostLink' });
    const reply = await api.store();
    expect(refusal(reply)).toBe('500 3000 Interrupted');
    const id = envelopeOf(reply).errorDetails[0]?.details ?? '';
    await untilInquired(api, id);
    expect(refusal(await act.resolve(id, { outcome: 'Approved', reason }))).toBe('400 2011 Rejected');
    const { type, state, transaction } = answerOf(await act.resolve(id, { outcome: 'Declined', reason }));
    expect([type, state, transaction?.status]).toEqual(['TokenCreate', 'Known', 'Completed']);
    await api.setTerminal(api.method('Front counter').id, {});
  });
});

describe('An unknown outcome in live mode', () => {
  let api: TestApi;
  beforeAll(async () => {
    // No processor of live payments can be configured yet, so this start is given what no setting allows.
    const dataDir = mkdtempSync(join(tmpdir(), 'tillstream-live-'));
    const keys = { VAULT_MASTER_KEY: randomBytes(32).toString('base64') };
    const places = { ...(await storeSettings(dataDir)), ...(await sandboxSettings(dataDir, ONE_INQUIRY)) };
    const settings = { ...FAST, ...ONE_INQUIRY, ...keys, ...places, DATA_DIR: dataDir };
    const config = readConfig({ ...settings, RESOLVE_CONFIRM_ABOVE: String(LOST - 1) });
    const live = { ...config, mode: 'live' } as const;
    api = new TestApi(await startApi(live, noLog), dataDir, live);
  });
  afterAll(() => api.stop());

  it('above the amount is resolved by two operators, each with a key of their own', async () => {
    const { provisioning, facts } = api.running;
    const tester = { type: 'Operator', name: 'tester' } as const;
    const till = { name: 'Till', readOnly: false, mode: 'live' } as const;
    const { key } = await provisioning.issueApiKey(tester, facts.merchantId, till);
    const second = { key: (await provisioning.issueAdminKey(tester, { name: 'Ben' })).key };
    const { unknownSale, listed, resolve } = operations(api);
    const id = await unknownSale(LOST, { key });
    await untilInquired(api, id);

    const word = { outcome: 'Approved', reason, authCode: 'A1' };
    const proposed = answerOf(await resolve(id, word, { headers: { 'x-actor': 'Anna' } }));
    const proposal = { outcome: 'Approved', reason, authCode: 'A1', proposedBy: 'Anna' };
    expect(proposed).toMatchObject({
      state: 'AwaitingConfirmation',
      proposal,
      transaction: { status: 'Interrupted' },
    });
    expect((await listed()).data).toMatchObject([{ transactionId: id, proposal }]);
    const otherName = { headers: { 'x-actor': 'Another operator' } };
    expect(refusal(await resolve(id, word, otherName))).toBe('400 2011 Rejected');

    const confirmed = answerOf(await resolve(id, { outcome: 'Approved', reason: 'seen it too' }, second));
    expect(confirmed).toMatchObject({
      state: 'Known',
      transaction: { status: 'Completed', transactionResponses: [{ responseCode: 1, authCode: 'A1' }] },
    });
    expect((await listed()).data).toEqual([]);
  });
});
