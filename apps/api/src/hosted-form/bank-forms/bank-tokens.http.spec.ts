import type { PaymentMethodDetails } from '@tillstream/contracts';
import { refusal, resultOf, startTestApi, type TestApi } from '../../testing/test.api.js';
import { ACCOUNT, ACH, bankToken, historyOf, openBankForm } from './bank.testing.js';
import { ADDRESS, entered, open } from '../form.testing.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const ofHolder = async (query = '') =>
  (await api.list<PaymentMethodDetails>(`/v1/payment-methods/account-holder/ann${query}`)).data;

describe('A bank account that is stored through an ACH form', () => {
  it('is a token at once', async () => {
    const form = await openBankForm(api, ACH, { description: 'Account of Ann' }, 'token');
    expect(form.opened).toMatchObject({ type: 'TokenCreate', status: 'Pending', resultCode: 1010 });
    expect(await form.submitted(ACH.entered())).toMatchObject({
      status: 'Completed',
      resultCode: 0,
      responseCode: 1,
    });
    const created = await form.look();
    expect(created).toMatchObject({
      status: 'Completed',
      resultCode: 0,
      transactionResponses: [{ responseCode: 1, amountApproved: 0, accountType: 'Checking' }],
      paymentMethod: {
        id: expect.stringMatching(/^pmt_tkn_/),
        type: 'Token',
        currency: 'USD',
        description: 'Account of Ann',
        accountType: 'Checking',
        accountNumber: '********6789',
        billingContact: ADDRESS,
      },
    });
    for (const field of ['cardType', 'maskedCardNumber', 'cardExpDate', 'accountName'])
      expect(created.paymentMethod).not.toHaveProperty(field);
    const { data } = await api.list(`/v1/transactions?id=${form.id}`);
    expect(data).toEqual([created]);
  });

  it('has the consent to later debits in its history', async () => {
    const form = await openBankForm(api, ACH, {}, 'token');
    const { authorization } = await form.session();
    await form.submitted(ACH.entered());
    const history = await historyOf(api, form.id);
    expect(history.map(({ type }) => type).slice(0, 4)).toEqual([
      'TokenRequested',
      'StorageConsentGiven',
      'VerificationRequested',
      'TokenCreated',
    ]);
    const { version, texts } = authorization ?? {};
    expect(history[1]).toMatchObject({ data: { version, language: 'en', text: texts?.en } });
    expect(texts?.en).toMatch(/store the bank account/);
    expect(JSON.stringify(history)).not.toMatch(/000123456789|Ann Maple|127\.0\.0\.1|ciphertext/);
  });

  it('takes no card, and an EFT form stores none', async () => {
    const form = await openBankForm(api, ACH, {}, 'token');
    expect(refusal(await form.submit(entered()))).toBe('400 2000 Rejected card bankAccount');
    const paymentMethodId = api.method('EFT form').id;
    expect(refusal(await open(api, 'token', { paymentMethodId }))).toBe('400 2010 Rejected paymentMethodId');
  });

  it('is in the list of its account holder, by its account type', async () => {
    const accountHolder = { externalId: 'ann' };
    const checking = await bankToken(api, ACCOUNT.approved, { accountHolder });
    const form = await openBankForm(api, ACH, { accountHolder }, 'token');
    await form.submitted(ACH.entered(ACCOUNT.approved, { accountType: 'Savings', accountNumber: '1234' }));
    const savings = (await form.look()).paymentMethod.id;
    const card = await api.token({ accountHolder });
    expect((await ofHolder()).map(({ id }) => id)).toEqual([card, savings, checking]);
    expect(await ofHolder('?accountType=Savings')).toEqual([
      {
        id: savings,
        type: 'Token',
        currency: 'USD',
        billingContact: ADDRESS,
        accountType: 'Savings',
        accountNumber: '**34',
      },
    ]);
    expect((await ofHolder('?accountType=Checking&accountType=Savings')).map(({ id }) => id)).toEqual([
      savings,
      checking,
    ]);
    expect((await ofHolder('?accountType=Credit')).map(({ id }) => id)).toEqual([card]);
  });

  it('has no expiry date, and its other data can change', async () => {
    const token = await bankToken(api);
    expect(refusal(await api.change(token, { cardExpDate: '1240' }))).toBe('400 2000 Rejected cardExpDate');
    const { paymentMethod } = resultOf(await api.change(token, { description: 'Changed' }));
    expect(paymentMethod).toMatchObject({ description: 'Changed', accountNumber: '********6789' });
  });

  it('that is removed can not be debited, and shows no number any more', async () => {
    const token = await bankToken(api);
    const sale = await api.transaction('token-sale', { amount: 500, paymentMethodId: token });
    const { paymentMethod } = resultOf(await api.remove(token));
    expect(paymentMethod).toMatchObject({ id: token, dateDeleted: expect.any(String) });
    expect(paymentMethod).not.toHaveProperty('accountNumber');
    expect(refusal(await api.operation('token-sale', { amount: 500, paymentMethodId: token }))).toBe(
      '404 4001 Rejected paymentMethodId',
    );
    expect((await api.look(sale.id)).paymentMethod).not.toHaveProperty('accountNumber');
  });
});
