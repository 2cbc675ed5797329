import { envelopeOf, refusal, startTestApi, type TestApi } from '../../testing/test.api.js';
import { ACCOUNT, ACH, EFT, historyOf, openBankForm, timesOf, type BankKind } from './bank.testing.js';
import { ADDRESS, entered, TestForm } from '../form.testing.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const answer = async (form: TestForm, body: unknown): Promise<string> => {
  const reply = await form.submit(body);
  return reply.status === 200 ? 'taken' : refusal(reply);
};

describe.each([ACH, EFT])('A submission of an $name form', (kind: BankKind) => {
  it('is at once Processing with 57, and the form is over', async () => {
    const returnUrl = 'https://shop.example/back';
    const form = await openBankForm(api, kind, { returnUrl, amount: 1_250 });
    expect(form.opened).toMatchObject({ status: 'Pending', resultCode: 1010, currency: kind.currency });
    const progress = await form.submitted(kind.entered());
    expect(progress).toMatchObject({ status: 'Processing', resultCode: 0, responseCode: 57, triesLeft: 0 });
    expect(Object.fromEntries(new URL(progress.redirectUrl ?? '').searchParams)).toMatchObject({
      transactionId: form.id,
      status: 'Processing',
      resultCode: '0',
      responseCode: '57',
    });
    const sale = await form.look();
    expect(sale).toMatchObject({ type: 'Sale', status: 'Processing', resultCode: 0, amount: 1_250 });
    expect(sale.transactionResponses).toHaveLength(1);
    expect(sale.transactionResponses[0]).toMatchObject({ responseCode: 57, amountApproved: 0 });
    expect(sale.transactionResponses[0]?.accountType).toBe(kind.accountType);
    expect(sale).not.toHaveProperty('form');
    expect(await answer(form, kind.entered())).toBe('400 3201 Rejected');
    expect(refusal(await form.cancel())).toBe('400 3201 Rejected');
  });

  it('shows the authorization in both languages, and keeps the one that the page showed', async () => {
    const form = await openBankForm(api, kind);
    const session = await form.session();
    expect(session.paymentMethodType).toBe(kind.name === 'ACH' ? 'VirtualAch' : 'VirtualEft');
    expect(session.formConfig).toEqual({
      billingInfoCaptureLevel: 'Full',
      enable3DSecure: false,
      piiFields: [],
    });
    const { version = '', texts } = session.authorization ?? {};
    expect(texts?.en).toContain('Maple Street Books');
    expect(texts?.fr).toContain('Maple Street Books');
    await form.submitted({ ...kind.entered(), authorization: { version, language: 'fr' } });
    const history = await historyOf(api, form.id);
    expect(history.find(({ type }) => type === 'ConsentGiven')).toMatchObject({
      timestamp: expect.any(String),
      actor: { type: 'Customer' },
      data: { try: 1, version, language: 'fr', text: texts?.fr },
    });
    expect(JSON.stringify(history)).not.toMatch(/Ann Maple|127\.0\.0\.1|ciphertext/);
  });

  it('with the same key debits once', async () => {
    const form = await openBankForm(api, kind);
    const call = { headers: { 'idempotency-key': 'same' } };
    const first = await form.submitted(kind.entered(), call);
    expect(await form.submitted(kind.entered(), call)).toEqual(first);
    expect(await timesOf(api, form.id, 'ConsentGiven', 'TryRequested')).toEqual({
      ConsentGiven: 1,
      TryRequested: 1,
    });
  });

  it('with an error is refused, names the field, repeats nothing and is no attempt', async () => {
    const form = await openBankForm(api, kind);
    const wrong: [object, string][] = [
      [{ accountNumber: undefined }, 'accountNumber'],
      [{ accountNumber: '123' }, 'accountNumber'],
      [{ accountNumber: '123456789012345678' }, 'accountNumber'],
      [{ accountNumber: '0001 2345' }, 'accountNumber'],
      [{ accountNumber: 123456789 }, 'accountNumber'],
      [{ name: undefined }, 'name'],
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(101) }, 'name'],
      [{ iban: 'DE1' }, 'iban'],
    ];
    for (const [more, field] of wrong) {
      const reply = await form.submit(kind.entered(undefined, more));
      expect(refusal(reply)).toBe(`400 2000 Rejected bankAccount.${field}`);
      const { message, errorDetails } = envelopeOf(reply);
      expect(JSON.stringify([message, errorDetails])).not.toMatch(/1234|0001|xxx|DE1/);
    }
    const { bankAccount } = kind.entered();
    expect(await answer(form, { bankAccount })).toMatch(/^400 2000 Rejected billingContact.name/);
    expect(await form.session()).toMatchObject({ status: 'Pending', resultCode: 1010, triesLeft: 5 });
    expect(await answer(form, kind.entered())).toBe('taken');
  });
});

describe('The fields of a bank account', () => {
  it.each([
    ['no routing number', ACH, { routingNumber: undefined }, 'routingNumber'],
    ['a wrong check digit', ACH, { routingNumber: '110000001' }, 'routingNumber'],
    ['swapped digits of the routing number', ACH, { routingNumber: '121000385' }, 'routingNumber'],
    ['8 digits of a routing number', ACH, { routingNumber: '11000000' }, 'routingNumber'],
    ['no account type', ACH, { accountType: undefined }, 'accountType'],
    ['another account type', ACH, { accountType: 'checking' }, 'accountType'],
    ['an institution in an ACH account', ACH, { institutionNumber: '000' }, 'institutionNumber'],
    ['no institution', EFT, { institutionNumber: undefined }, 'institutionNumber'],
    ['4 digits of an institution', EFT, { institutionNumber: '0001' }, 'institutionNumber'],
    ['no transit', EFT, { transitNumber: undefined }, 'transitNumber'],
    ['4 digits of a transit', EFT, { transitNumber: '1100' }, 'transitNumber'],
    ['4 digits of an EFT account', EFT, { accountNumber: '1234' }, 'accountNumber'],
    ['13 digits of an EFT account', EFT, { accountNumber: '1234567890123' }, 'accountNumber'],
    ['an account type in an EFT account', EFT, { accountType: 'Savings' }, 'accountType'],
    ['a routing number in an EFT account', EFT, { routingNumber: '110000000' }, 'routingNumber'],
  ] as const)('%s: 2000 with the field', async (_what, kind, more, field) => {
    const form = await openBankForm(api, kind);
    expect(await answer(form, kind.entered(undefined, more))).toBe(`400 2000 Rejected bankAccount.${field}`);
  });

  it('take the shortest and the longest account numbers', async () => {
    for (const [kind, number] of [
      [ACH, '1234'],
      [ACH, '12345678901234567'],
      [EFT, '12345'],
      [EFT, '123456789012'],
    ] as const)
      expect(await answer(await openBankForm(api, kind), kind.entered(number))).toBe('taken');
  });

  it('take other routing numbers whose check digit is right', async () => {
    for (const routingNumber of ['121000358', '011401533', '322271627'])
      expect(
        await answer(await openBankForm(api, ACH), ACH.entered(ACCOUNT.approved, { routingNumber })),
      ).toBe('taken');
  });
});

describe('What does not fit the form', () => {
  it('is a card at a bank form, and a bank account at a card form', async () => {
    const bank = await openBankForm(api, ACH);
    expect(await answer(bank, entered())).toBe('400 2000 Rejected card bankAccount');
    expect(await answer(bank, { ...entered(), ...ACH.entered() })).toBe('400 2000 Rejected card');
    expect(await answer(bank, { billingContact: ADDRESS })).toBe('400 2000 Rejected bankAccount');
    const cards = await TestForm.open(api, 'virtual-sale');
    expect(await answer(cards, ACH.entered())).toBe('400 2000 Rejected bankAccount card');
    expect(await answer(cards, { ...entered(), ...ACH.entered() })).toBe('400 2000 Rejected bankAccount');
    expect((await cards.session()).authorization).toBeUndefined();
  });

  it('is an authorization of an unknown version or language, or at a card form', async () => {
    const form = await openBankForm(api, ACH);
    const withAuthorization = (authorization: object) => answer(form, { ...ACH.entered(), authorization });
    expect(await withAuthorization({ version: '1999-01', language: 'en' })).toBe(
      '400 2000 Rejected authorization.version',
    );
    const { version } = (await form.session()).authorization ?? {};
    expect(await withAuthorization({ version, language: 'de' })).toBe(
      '400 2000 Rejected authorization.language',
    );
    const authorization = { version, language: 'en' };
    const cards = await TestForm.open(api, 'virtual-sale');
    expect(await answer(cards, { ...entered(), authorization })).toBe('400 2000 Rejected authorization');
  });

  it('is nothing at all: 2900', async () => {
    const form = await openBankForm(api, ACH);
    expect(await answer(form, '')).toBe('400 2900 Rejected body');
  });
});
