import { refusal, resultOf, startTestApi, type Reply, type TestApi } from '../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const under = (key: string) => ({ headers: { 'idempotency-key': key } });
const FIELD = '400 2000 Rejected Idempotency-Key';

function expectReplay(first: Reply, second: Reply): void {
  expect(first.status).toBe(200);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(second.status).toBe(200);
  expect(second.text).toBe(first.text);
  expect(second.headers.get('x-trace-id')).toBe(first.headers.get('x-trace-id'));
  expect(second.headers.get('idempotent-replayed')).toBe('true');
}

const count = async (query: string): Promise<number | undefined> =>
  (await api.list(`/v1/transactions?includeTotal=true&limit=1&${query}`)).total;

describe('A repeat under the same Idempotency-Key', () => {
  it('of storing a card stores one', async () => {
    const send = () => api.store({ referenceId: 'stored-once' }, under('store'));
    expectReplay(await send(), await send());
    expect(await count('referenceId=stored-once')).toBe(1);
  });

  it('of a change changes once, and is given again after another change', async () => {
    const id = await api.token();
    const send = () => api.change(id, { description: 'A', referenceId: 'changed-once' }, under('change'));
    const first = await send();
    await api.change(id, { description: 'B' });
    expectReplay(first, await send());
    expect(await count('referenceId=changed-once')).toBe(1);
  });

  it('of a removal is the first answer, byte for byte, although nothing is there any more', async () => {
    const id = await api.token();
    const send = () => api.remove(id, under('remove'));
    expectReplay(await send(), await send());
    expect(refusal(await api.remove(id))).toBe('404 4001 Rejected');
  });

  it.each(['token-sale', 'token-auth'])(
    'of a %s pays once, even after the token was removed',
    async (name) => {
      const paymentMethodId = await api.token();
      const body = { amount: 500, paymentMethodId, referenceId: `${name}-once` };
      const send = () => api.operation(name, body, under(name));
      const first = await send();
      await api.remove(paymentMethodId);
      expectReplay(first, await send());
      expect(await count(`referenceId=${name}-once`)).toBe(1);
    },
  );

  it('of a payment that was declined, or is unknown, is that answer too', async () => {
    const paymentMethodId = await api.token();
    for (const amount of [900_051, 920_001, 920_004]) {
      const send = () => api.operation('token-sale', { amount, paymentMethodId }, under(`ends-${amount}`));
      const first = await send();
      const second = await send();
      expect([second.status, second.text]).toEqual([first.status, first.text]);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
    }
  });

  it('of account holders makes, changes and erases one once', async () => {
    const path = '/v1/account-holders';
    const create = () => api.call('POST', path, { body: { name: 'Ann' }, ...under('holder') });
    const first = await create();
    expectReplay(first, await create());
    const { id } = JSON.parse(first.text) as { id: string };
    const change = () => api.call('PUT', `${path}/${id}`, { body: { name: 'Bob' }, ...under('rename') });
    const changed = await change();
    await api.call('PUT', `${path}/${id}`, { body: { name: 'Cid' } });
    expectReplay(changed, await change());
    expect((await api.get(`${path}/${id}`)).text).toContain('Cid');
    const erase = () => api.call('DELETE', `${path}/${id}`, under('erase'));
    expectReplay(await erase(), await erase());
    expectReplay(first, await create());
    expect(refusal(await api.get(`${path}/${id}`))).toBe('404 4003 Rejected');
  });

  it('sent many times at once does it once', async () => {
    const path = '/v1/account-holders';
    const create = () => api.call('POST', path, { body: { externalId: 'many' }, ...under('many') });
    const store = () => api.store({ referenceId: 'many' }, under('many-cards'));
    for (const send of [create, store]) {
      const replies = await Promise.all(Array.from({ length: 8 }, send));
      expect(new Set(replies.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
      expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
    }
    expect(await count('referenceId=many')).toBe(1);
  });

  it('survives a restart', async () => {
    const own = await startTestApi();
    const token = await own.token();
    const remove = await own.remove(token, under('restart'));
    const path = '/v1/account-holders';
    const holder = await own.call('POST', path, { body: {}, ...under('restart-holder') });
    await own.stop({ keepData: true });
    const again = await startTestApi({ DATA_DIR: own.dataDir });
    expect((await again.remove(token, under('restart'))).text).toBe(remove.text);
    expect((await again.call('POST', path, { body: {}, ...under('restart-holder') })).text).toBe(holder.text);
    await again.stop();
  });
});

describe('The same Idempotency-Key', () => {
  it('with another path, method or body: 400, 2000', async () => {
    const [first, second] = [await api.token(), await api.token()];
    await api.change(first, { description: 'A' }, under('other'));
    expect(refusal(await api.change(second, { description: 'A' }, under('other')))).toBe(FIELD);
    expect(refusal(await api.change(first, { description: 'B' }, under('other')))).toBe(FIELD);
    expect(refusal(await api.remove(first, under('other')))).toBe(FIELD);
    const created = await api.call('POST', '/v1/account-holders', { body: {}, ...under('other') });
    expect(refusal(created)).toBe(FIELD);
  });

  it('of a removal with {} is not that of one without a body', async () => {
    const id = await api.token();
    await api.remove(id, under('no-body'));
    expect(refusal(await api.remove(id, { body: '{}', ...under('no-body') }))).toBe(FIELD);
  });

  it('of another merchant is another key', async () => {
    const { key } = await api.otherMerchant();
    const create = (more: object) =>
      api.call('POST', '/v1/account-holders', { body: {}, ...under('shared'), ...more });
    expect((await create({ key })).text).not.toBe((await create({})).text);
  });

  it('can be used again after a refusal', async () => {
    const path = '/v1/account-holders';
    await api.call('POST', path, { body: { externalId: 'first' } });
    const create = (externalId: string) => api.call('POST', path, { body: { externalId }, ...under('free') });
    expect(refusal(await create('first'))).toBe('400 2100 Rejected externalId');
    expect((await create('second')).status).toBe(200);

    const id = await api.token();
    const change = (body: object) => api.change(id, body, under('free-token'));
    expect(refusal(await change({ cardExpDate: '0120' }))).toBe('400 2000 Rejected cardExpDate');
    expect(refusal(await change({ accountHolder: { id: `acc_01J${'0'.repeat(23)}` } }))).toMatch(/^404 4003/);
    expect(resultOf(await change({ description: 'x' })).type).toBe('TokenUpdate');
  });
});
