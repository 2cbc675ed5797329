import { refusal, startTestApi, type TestApi } from '../testing/test.api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const sell = (body: object) => api.operation('physical-sale', body);
const refused = async (body: object) => refusal(await sell(body));
const taken = async (body: object) => expect((await sell(body)).status).toBe(200);

describe('An amount', () => {
  it.each([1, 999_999_999, 1.0, 1e2])('of %p is taken', async (amount) => {
    await taken({ amount });
  });

  it.each([0, -1, 1_000_000_000, 1.5, 1e300, '100', '', true, [], {}, [100]])(
    'of %j: 2012',
    async (amount) => {
      expect(await refused({ amount })).toBe('400 2012 Rejected amount');
    },
  );

  it('that is left out or null: 2012', async () => {
    expect(await refused({})).toBe('400 2012 Rejected amount');
    expect(await refused({ amount: null })).toBe('400 2012 Rejected amount');
  });

  it('is written with its fraction of zero, or an exponent, all the same', async () => {
    const reply = await api.call('POST', '/v1/transactions/physical-sale', { body: '{"amount":100.0}' });
    expect(JSON.parse(reply.text)).toMatchObject({ amount: 100 });
  });

  it.each(['capture', 'refund', 'void'])('of a %s has the same range', async (name) => {
    for (const amount of [0, 1_000_000_000, '5']) {
      const reply = await api.operation(name, { amount, originalTransactionId: 'trx_1' });
      expect(refusal(reply)).toBe('400 2012 Rejected amount');
    }
  });
});

describe('A breakdown', () => {
  it('sums to the amount', async () => {
    await taken({
      amount: 100,
      amountBreakdown: { amountGoodsAndServices: 70, tax: 10, cashback: 15, tip: 5 },
    });
    await taken({ amount: 100, amountBreakdown: { amountGoodsAndServices: 100, tax: 0 } });
  });

  it.each([
    [{ amountGoodsAndServices: 99 }, 'amountBreakdown'],
    [{}, 'amountBreakdown'],
    [{ tip: null }, 'amountBreakdown'],
    [{ tip: -1, tax: 101 }, 'amountBreakdown.tip'],
    [{ tip: 1_000_000_000 }, 'amountBreakdown.tip'],
    [{ tip: '100' }, 'amountBreakdown.tip'],
    [{ tip: 1.5, tax: 98.5 }, 'amountBreakdown.tax amountBreakdown.tip'],
    ['all', 'amountBreakdown'],
    [[], 'amountBreakdown'],
    [100, 'amountBreakdown'],
  ])('of %j: 2012, field %s', async (amountBreakdown, fields) => {
    expect(await refused({ amount: 100, amountBreakdown })).toBe(`400 2012 Rejected ${fields}`);
  });

  it('takes null for a part that is left out', async () => {
    await taken({ amount: 100, amountBreakdown: { tip: 100, tax: null } });
    await taken({ amount: 100, amountBreakdown: null });
  });

  it('comes back without negative zero', async () => {
    const reply = await api.call('POST', '/v1/transactions/physical-sale', {
      body: '{"amount":100,"amountBreakdown":{"tip":100,"tax":-0}}',
    });
    expect(JSON.parse(reply.text)).toMatchObject({ amountBreakdown: { tax: 0, tip: 100 } });
  });
});

describe('A field of plain values', () => {
  const deep = (open: string, close: string): string => `${open.repeat(5_000)}${close.repeat(5_000)}`;

  it.each([
    ['an array 5,000 deep', deep('[', ']')],
    ['an object 5,000 deep', deep('{"a":', '}').replace(':}', ':{}}')],
    ['an object that names its constructor', '{"constructor":{"prototype":{"amount":100}}}'],
    ['an object that names methods', '{"toString":1,"valueOf":2}'],
    ['an array of such objects', '[{"constructor":1}]'],
  ])('is no %s', async (_name, value) => {
    const body = `{"amount":${value},"referenceId":${value},"amountBreakdown":{"tip":${value}}}`;
    const reply = await api.call('POST', '/v1/transactions/physical-sale', { body });
    expect(refusal(reply)).toBe('400 2000 Rejected amount amountBreakdown.tip referenceId');
  });
});

describe('An unknown field', () => {
  it.each(['amout', 'Amount', 'amount ', 'toString', 'returnUrl', 'status'])('%j: 2000', async (name) => {
    expect(await refused({ amount: 100, [name]: 1 })).toBe(`400 2000 Rejected ${name}`);
  });

  it.each(['__proto__', 'constructor', 'prototype', 'hasOwnProperty'])(
    '%s is one like any other',
    async (name) => {
      const body = `{"amount":100,"${name}":{"amount":1}}`;
      const reply = await api.call('POST', '/v1/transactions/physical-sale', { body });
      expect(refusal(reply)).toBe(`400 2000 Rejected ${name}`);
      const nested = `{"amount":100,"amountBreakdown":{"tip":100,"${name}":1}}`;
      const inner = await api.call('POST', '/v1/transactions/physical-sale', { body: nested });
      expect(refusal(inner)).toBe(`400 2000 Rejected amountBreakdown.${name}`);
    },
  );

  it('is one even where it is null', async () => {
    expect(await refused({ amount: 100, amout: null })).toBe('400 2000 Rejected amout');
  });

  it('in the query: 2000', async () => {
    const body = { amount: 100 };
    const reply = await api.call('POST', '/v1/transactions/physical-sale?amount=1', { body });
    expect(refusal(reply)).toBe('400 2000 Rejected amount');
    expect(refusal(await api.get('/v1/transactions/trx_1?a=1&b=2'))).toBe('400 2000 Rejected a b');
  });

  it.each([
    ['void', 'amountBreakdown'],
    ['void', 'invoiceNumber'],
    ['void', 'orderNumber'],
    ['refund', 'amountBreakdown'],
    ['capture', 'paymentMethodId'],
    ['refund', 'paymentMethodId'],
  ])('of a %s is %s', async (name, field) => {
    const reply = await api.operation(name, { originalTransactionId: 'trx_1', [field]: 'x' });
    expect(refusal(reply)).toBe(`400 2000 Rejected ${field}`);
  });
});

describe('A text', () => {
  const texts: [field: string, max: number, letter: string][] = [
    ['invoiceNumber', 20, 'a'],
    ['orderNumber', 100, 'Z'],
    ['referenceId', 100, '€'],
    ['referenceId', 100, '😀'],
  ];
  it.each(texts)('%s has at most %i characters, counted as code points (%s)', async (field, max, letter) => {
    await taken({ amount: 100, [field]: letter.repeat(max) });
    expect(await refused({ amount: 100, [field]: letter.repeat(max + 1) })).toBe(
      `400 2000 Rejected ${field}`,
    );
  });

  it('paymentMethodId has at most 35 characters', async () => {
    const at = async (length: number) => refused({ amount: 100, paymentMethodId: 'p'.repeat(length) });
    expect(await at(35)).toBe('404 4002 Rejected paymentMethodId');
    expect(await at(36)).toBe('400 2000 Rejected paymentMethodId');
  });

  it.each([
    ['originalTransactionId', 30],
    ['originalReferenceId', 100],
  ])('%s has 1 to %i characters', async (field, max) => {
    const at = async (text: string) => refusal(await api.operation('void', { [field]: text }));
    expect(await at('x')).toBe('404 4000 Rejected');
    expect(await at('x'.repeat(max))).toBe('404 4000 Rejected');
    expect(await at('x'.repeat(max + 1))).toBe(`400 2000 Rejected ${field}`);
    expect(await at('')).toBe(`400 2000 Rejected ${field}`);
  });

  it.each(['capture', 'refund'])('invoiceNumber of a %s has at most 100 characters', async (name) => {
    const at = async (length: number) =>
      refusal(
        await api.operation(name, { originalTransactionId: 'trx_1', invoiceNumber: 'a'.repeat(length) }),
      );
    expect(await at(100)).toBe('404 4000 Rejected');
    expect(await at(101)).toBe('400 2000 Rejected invoiceNumber');
  });

  it.each(['invoiceNumber', 'orderNumber', 'referenceId', 'paymentMethodId'])(
    '%s is not empty, and no other type',
    async (field) => {
      for (const value of ['', 1, true, [], {}, ['a']]) {
        expect(await refused({ amount: 100, [field]: value })).toBe(`400 2000 Rejected ${field}`);
      }
      await taken({ amount: 100, [field]: null });
    },
  );

  it.each(['a b', 'a-b', 'ä', '１', 'a\n', 'a_b', '٣'])('that is alphanumeric is not %j', async (value) => {
    expect(await refused({ amount: 100, invoiceNumber: value })).toBe('400 2000 Rejected invoiceNumber');
    expect(await refused({ amount: 100, orderNumber: value })).toBe('400 2000 Rejected orderNumber');
  });

  it.each(['a\u0000', '\u0007b', 'a\tb', 'a\nb', '\u007f', '\u0085', '\ud83d'])(
    'has no control characters: %j',
    async (value) => {
      expect(await refused({ amount: 100, referenceId: value })).toBe('400 2000 Rejected referenceId');
    },
  );

  it('may be in any script, and comes back as it was', async () => {
    const referenceId = 'Bestellung №7 — 注文 🍁';
    const result = await api.transaction('physical-sale', { amount: 100, referenceId });
    expect(result.referenceId).toBe(referenceId);
  });
});

describe('Several errors', () => {
  it('are all reported at once', async () => {
    const fields = await refused({ amount: '1', referenceId: '', x: 1 });
    expect(fields).toBe('400 2000 Rejected x amount referenceId');
  });

  it('of one kind have its code, of several 2000', async () => {
    expect(await refused({ amount: 100, amountBreakdown: { tip: -1, tax: -1 } })).toMatch(/^400 2012 /);
    expect(await refused({ amount: 0, invoiceNumber: '' })).toMatch(/^400 2000 /);
  });
});
