import type { ListPage, UnknownOutcome } from '@tillstream/contracts';
import { envelopeOf, refusal, startTestApi, type TestApi } from '../../testing/test.api.js';
import {
  answerOf,
  LOST,
  NONE_DUE,
  ONE_INQUIRY,
  operations,
  PATH,
  reason,
  untilInquired,
  untilKnown,
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
    api = await startTestApi({
      ...ONE_INQUIRY,
      SANDBOX_BROKEN_WORD_DELAY_MS: '3000',
      SANDBOX_TERMINALS: '3',
    });
    act = operations(api);
  });
  afterAll(() => api.stop());

  it('is listed with what is known of it', async () => {
    const id = await unknown();
    const found = (await act.listed()).data.find(({ transactionId }) => transactionId === id);
    expect(found).toEqual({
      transactionId: id,
      merchantId: api.running.facts.merchantId,
      type: 'Sale',
      amount: LOST,
      currency: 'USD',
      since: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      inquiries: 1,
      nextInquiryAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    });
    await act.resolve(id, { outcome: 'NotReceived', reason });
    expect((await act.listed()).data.map(({ transactionId }) => transactionId)).not.toContain(id);
  });

  it('is asked for as often as an operator wants', async () => {
    const id = await unknown();
    const second = answerOf(await act.inquire(id));
    expect(second).toMatchObject({ state: 'Unknown', inquiries: 2, transaction: { status: 'Interrupted' } });
    expect(answerOf(await api.call('POST', `${PATH}/${id}/inquire`))).toMatchObject({ inquiries: 3 });
    expect(answerOf(await act.inquire(id))).toMatchObject({
      state: 'Known',
      inquiries: 4,
      transaction: { status: 'Completed', transactionResponses: [{ responseCode: 1 }] },
    });
  });

  it('of each amount of the sandbox ends as the sandbox says', async () => {
    const lanes = api.running.facts.paymentMethods.filter(
      ({ type, currency }) => type === 'Physical' && currency === 'USD',
    );
    const endings = [
      [920_001, 1],
      [920_002, 50],
      [920_005, 1],
    ] as const;
    // Each at a terminal of its own, all at once.
    const ended = async ([amount, responseCode]: (typeof endings)[number], lane: number): Promise<void> => {
      const id = await act.unknownSale(amount, {}, { paymentMethodId: lanes[lane]?.id });
      await untilKnown(api, id);
      expect(await api.look(id)).toMatchObject({
        status: 'Completed',
        transactionResponses: [{ responseCode }],
      });
    };
    await Promise.all(endings.map(ended));
  });

  it('is none where nothing was sent (920004)', async () => {
    const reply = await api.operation('physical-sale', { amount: 920_004 });
    expect(refusal(reply)).toBe('500 9000 Rejected');
    const id = envelopeOf(reply).errorDetails[0]?.details ?? '';
    expect((await act.listed('?limit=100')).data.map(({ transactionId }) => transactionId)).not.toContain(id);
    expect(envelopeOf(await act.resolve(id, { outcome: 'Approved', reason })).message).toContain(
      'never sent',
    );
  });

  it('comes in pages, and of the merchants that are asked for', async () => {
    const shop = await api.otherMerchant();
    const ids = [
      await act.unknownSale(),
      await act.unknownSale(),
      await act.unknownSale(LOST, { key: shop.key }),
    ];
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: ListPage<UnknownOutcome> = await act.listed(`?limit=1${cursor && `&cursor=${cursor}`}`);
      expect(page.hasMore).toBe(page.nextCursor !== null);
      seen.push(...page.data.map(({ transactionId }) => transactionId));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(ids);
    const of = async (query: string) =>
      (await act.listed(query)).data.map(({ transactionId }) => transactionId);
    expect(await of(`?merchantId=${shop.id}`)).toEqual([ids[2]]);
    expect(await of(`?merchantId=${shop.id}&merchantId=${api.running.facts.merchantId}`)).toEqual(ids);
    expect(await of('?merchantId=mer_none')).toEqual([]);
    const { nextCursor } = await act.listed('?limit=1');
    expect(refusal(await api.get(`${PATH}?merchantId=${shop.id}&cursor=${nextCursor}`))).toBe(
      '400 2000 Rejected cursor',
    );
    for (const id of ids) await untilInquired(api, id);
    for (const id of ids) await act.resolve(id, { outcome: 'NotReceived', reason });
  });

  it.each([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?cursor=x', 'cursor'],
    ['?sort=since', 'sort'],
    ['?merchantId=', 'merchantId'],
  ])('is not listed for %s: 400, 2000', async (query, field) => {
    expect(refusal(await api.get(PATH + query))).toBe(`400 2000 Rejected ${field}`);
  });
});

describe('An outcome whose first inquiry is not due', () => {
  let api: TestApi;
  beforeAll(async () => (api = await startTestApi(NONE_DUE)));
  afterAll(() => api.stop());

  it.each([920_001, 920_002, 920_003, 920_005, 920_006])(
    'of %s is listed at once, and left alone: 409, 3401',
    async (amount) => {
      const { unknownSale, listed, inquire, resolve } = operations(api);
      const id = await unknownSale(amount);
      const { data } = await listed('?limit=100');
      expect(data.at(-1)).toMatchObject({ transactionId: id, amount, inquiries: 0 });
      expect(refusal(await inquire(id))).toBe('409 3401 Rejected');
      expect(refusal(await resolve(id, { outcome: 'NotReceived', reason }))).toBe('409 3401 Rejected');
      expect((await api.look(id)).status).toBe('Interrupted');
    },
  );
});
