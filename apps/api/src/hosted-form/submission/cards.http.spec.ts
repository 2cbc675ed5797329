import { startTestApi, type TestApi } from '../../testing/test.api.js';
import { ADDRESS, card, entered, open, TestForm, VISA } from '../form.testing.js';

const DECLINED = '4000000000000002';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const sale = (body: object = {}) => TestForm.open(api, 'virtual-sale', body);

describe('A card on a form', () => {
  it.each([
    ['4242424242424242', { cardType: 'VISA', accountType: 'Credit', avsResult: 'Y', cvvResult: 'M' }],
    ['4000056655665556', { cardType: 'VISA', accountType: 'Debit' }],
    ['5555555555554444', { cardType: 'MASTERCARD' }],
    ['378282246310005', { cardType: 'AMEX' }],
    ['6011111111111117', { cardType: 'DISCOVER' }],
    ['3056930009020004', { cardType: 'DINERS' }],
    ['3566002020360505', { cardType: 'JCB' }],
    ['6200000000000005', { cardType: 'UNIONPAY' }],
    ['6759649826438453', { cardType: 'MAESTRO' }],
    ['4000000000000101', { cardType: 'VISA', cvvResult: 'N' }],
    ['4000000000000010', { avsResult: 'N' }],
    ['4000000000000028', { avsResult: 'Z' }],
    ['4000000000000036', { avsResult: 'A' }],
    ['4000000000000044', { avsResult: 'U' }],
  ])('%s is approved as %o', async (number, facts) => {
    const form = await sale();
    expect(await form.submitted(entered(number))).toMatchObject({ status: 'Completed', responseCode: 1 });
    const { transactionResponses, paymentMethod } = await form.look();
    expect(transactionResponses).toMatchObject([{ responseCode: 1, amountApproved: 1250, ...facts }]);
    expect(transactionResponses[0]?.receipt).toEqual({ lines: [] });
    expect(paymentMethod.maskedCardNumber?.slice(-4)).toBe(number.slice(-4));
    expect(paymentMethod.billingContact).toBeUndefined();
  });

  it.each([
    ['4000000000000002', 10, 6900],
    ['4000000000009995', 11, 6900],
    ['4000000000000069', 12, 6900],
    ['4100000000000019', 13, 6900],
    ['4000000000000127', 14, 6900],
    ['4506440000000009', 14, 6900],
    ['4000000000000119', 50, 6901],
    ['4000000000006918', 50, 6901],
    ['4000000000006926', 0, 6902],
  ])(
    '%s fails with response code %i and result code %i, and can be tried again',
    async (number, code, result) => {
      const form = await sale();
      const progress = await form.submitted(entered(number));
      expect(progress).toMatchObject({
        status: 'Pending',
        resultCode: result,
        responseCode: code,
        triesLeft: 4,
      });
      const shown = await form.look();
      expect(shown).toMatchObject({ status: 'Pending', resultCode: result, form: form.opened.form });
      expect(shown.transactionResponses).toMatchObject([{ responseCode: code, amountApproved: 0 }]);
      expect(await form.session()).toMatchObject(progress);
    },
  );

  it.each([
    ['99901', 'E'],
    ['99902', 'R'],
    ['99903', 'S'],
    ['99904', 'G'],
    ['99905-0005', 'W'],
    ['99906-0006', 'X'],
  ])('with ZIP code %s has AVS result %s', async (zipCode, avsResult) => {
    const form = await sale();
    await form.submitted({ card: card(), billingContact: { ...ADDRESS, zipCode } });
    expect((await form.look()).transactionResponses).toMatchObject([{ responseCode: 1, avsResult }]);
  });

  it.each([
    [VISA, '981', 'P'],
    ['378282246310005', '9810', 'P'],
    [VISA, '982', 'S'],
    [VISA, '983', 'U'],
  ])('%s with CVV %s has CVV result %s', async (number, cvv, cvvResult) => {
    const form = await sale();
    await form.submitted({ card: { ...card(number), cvv }, billingContact: ADDRESS });
    expect((await form.look()).transactionResponses).toMatchObject([{ responseCode: 1, cvvResult }]);
  });

  it.each([
    [900_010, 'Completed', 0, 2, 450_005],
    [900_051, 'Pending', 6900, 11, 0],
    [900_091, 'Pending', 6901, 50, 0],
    [940_000, 'Pending', 6902, 0, 0],
  ])(
    'is answered for the amount %i as elsewhere: %s %i',
    async (amount, status, resultCode, code, approved) => {
      const form = await sale({ amount });
      expect(await form.submitted()).toMatchObject({ status, resultCode, responseCode: code });
      expect((await form.look()).transactionResponses).toMatchObject([{ amountApproved: approved }]);
    },
  );
});

describe('A form', () => {
  it('takes another card after a declined one, and shows all attempts, the newest first', async () => {
    const form = await sale();
    await form.submitted(entered(DECLINED));
    expect(await form.submitted()).toMatchObject({ status: 'Completed', resultCode: 0, responseCode: 1 });
    const { transactionResponses, gatewayTransactionId } = await form.look();
    expect(transactionResponses.map(({ responseCode }) => responseCode)).toEqual([1, 10]);
    expect(gatewayTransactionId).toMatch(/\.2$/);
  });

  it('ends with the fifth declined card, with its result', async () => {
    const form = await sale({ returnUrl: 'https://shop.example/paid?order=1001' });
    for (const triesLeft of [4, 3, 2, 1]) {
      const { redirectUrl, ...progress } = await form.submitted(entered(DECLINED));
      expect(progress).toMatchObject({ status: 'Pending', resultCode: 6900, triesLeft });
      expect(redirectUrl).toBeUndefined();
    }
    const last = await form.submitted(entered('4000000000009995'));
    expect(last).toMatchObject({ status: 'Completed', resultCode: 6900, responseCode: 11, triesLeft: 0 });
    expect(Object.fromEntries(new URL(last.redirectUrl ?? '').searchParams)).toEqual({
      order: '1001',
      transactionId: form.id,
      referenceId: form.opened.referenceId,
      status: 'Completed',
      resultCode: '6900',
      responseCode: '11',
    });
    const { transactionResponses } = await form.look();
    expect(transactionResponses.map(({ responseCode }) => responseCode)).toEqual([11, 10, 10, 10, 10]);
    expect(await form.session()).toMatchObject(last);
  });

  it('that stores a card can be tried again too, and makes one token', async () => {
    const form = TestForm.of(api, await open(api, 'token', { description: 'Visa of Ann' }));
    expect(await form.submitted(entered(DECLINED))).toMatchObject({ status: 'Pending', resultCode: 6900 });
    expect((await form.look()).paymentMethod.type).toBe('Virtual');
    expect(await form.submitted()).toMatchObject({ status: 'Completed', responseCode: 1 });
    expect((await form.look()).paymentMethod).toMatchObject({
      type: 'Token',
      description: 'Visa of Ann',
      cardExpDate: '1234',
      billingContact: ADDRESS,
    });
  });
});
