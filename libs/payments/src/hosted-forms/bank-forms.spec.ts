import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { streamOfOperation, streamOfToken, type PaymentMethod } from '@tillstream/domain';
import { readWholeStream, type RecordedEvent } from '@tillstream/event-store';
import { RoutedProcessors, type PaymentRequest, type Processor } from '@tillstream/processors';
import type { Sealed } from '@tillstream/vault';
import { BILLING, FormsTestSetup, statusAfter } from '../testing/forms.setup.js';
import {
  Crashed,
  PaymentsTestSetup,
  requireAnswered,
  requireAnsweredToken,
  requireOperationId,
} from '../testing/payments.setup.js';
import type { FormSubmission } from './hosted-form.types.js';

const ACCOUNT = {
  routingNumber: '110000000',
  accountNumber: '000123456789',
  accountType: 'Checking',
  name: 'Ann Maple',
} as const;
const CLIENT = { ip: '192.0.2.7', userAgent: 'Browser 1' };
const SUBMITTED = { kind: 'Submitted', facts: { responseCode: 57, accountType: 'Checking' } } as const;

let setup: PaymentsTestSetup;
let forms: FormsTestSetup;
let ach: PaymentMethod;
let eft: PaymentMethod;
/** The sales that reached the processor, with their accounts. */
let sales: PaymentRequest[];

beforeEach(async () => {
  setup = await PaymentsTestSetup.open();
  forms = await FormsTestSetup.of(setup);
  const operator = { type: 'Operator', name: 'tester' } as const;
  const add = (type: 'VirtualAch' | 'VirtualEft', currency: 'USD' | 'CAD') =>
    setup.useCases.provisioning.addPaymentMethod(operator, setup.merchant.id, {
      type,
      currency,
      isDefault: false,
    });
  ach = await add('VirtualAch', 'USD');
  eft = await add('VirtualEft', 'CAD');
  await forms.readMerchant();
  sales = [];
  const processor = Object.assign(Object.create(setup.processor) as Processor, {
    sale: async (request: PaymentRequest) => {
      sales.push(request);
      return SUBMITTED;
    },
  });
  setup.processors = new RoutedProcessors([processor], [{ processor: 'sandbox', account: 'acct' }]);
});
afterEach(() => setup.close());

const submit = (session: string, more: Partial<FormSubmission> = {}, key?: string) =>
  setup.useCases.forms.submit(
    session,
    { bankAccount: ACCOUNT, billingContact: BILLING, ...more },
    { traceId: 'b'.repeat(32), client: CLIENT, ...(key !== undefined && { key }) },
  );

async function openSale({ id }: PaymentMethod, more: object = {}) {
  const result = await forms.sale(1_250, { paymentMethodId: id, ...more });
  const { payment } = requireAnswered(result);
  return { id: requireOperationId(result), session: forms.sessionOf(result), payment };
}

async function openToken(more: object = {}) {
  const result = await forms.token({ paymentMethodId: ach.id, ...more });
  return { session: forms.sessionOf(result), tokenId: requireAnsweredToken(result).token.id };
}

const eventsOf = (transactionId: string): Promise<readonly RecordedEvent[]> =>
  readWholeStream(setup.memory, streamOfOperation(transactionId) ?? '');
const tokenEventsOf = (tokenId: string): Promise<readonly RecordedEvent[]> =>
  readWholeStream(setup.memory, streamOfToken(tokenId) ?? '');

/** The consent among the events, and its opened proof. */
async function consentIn(events: readonly RecordedEvent[]) {
  const data = events.find(({ type }) => type.endsWith('ConsentGiven'))?.data ?? {};
  const personal = data['personal'] as unknown as Sealed;
  const [proof] = await setup.vault.open([personal]);
  return {
    data,
    keyId: personal.keyId,
    proof: proof === undefined ? undefined : (JSON.parse(proof) as object),
  };
}

describe('a submission of a bank form', () => {
  it.each([
    ['VirtualAch', 'Ach'],
    ['VirtualEft', 'Eft'],
  ])('of type %s is on the channel %s, and goes to the bank with the account', async (type, channel) => {
    const { id, session, payment } = await openSale(type === 'VirtualAch' ? ach : eft);
    expect(payment.channel).toBe(channel);
    expect(statusAfter(await submit(session))).toBe('Processing');
    expect(sales).toMatchObject([{ channel, amount: 1_250, bankAccount: ACCOUNT }]);
    expect(sales[0]?.card).toBeUndefined();
    expect((await eventsOf(id)).map((event) => event.type)).toEqual([
      'SaleRequested',
      'ConsentGiven',
      'TryRequested',
      'Submitted',
    ]);
    expect(await submit(session)).toEqual({ kind: 'Spent' });
  });

  it('keeps the text that the form showed, and sealed who agreed, from where, for which account', async () => {
    const { id, session } = await openSale(ach);
    const shown = (await setup.useCases.forms.find(session))?.authorization;
    await submit(session);
    const { data, keyId, proof } = await consentIn(await eventsOf(id));
    const { version, texts } = shown ?? { version: 'none', texts: { en: 'none' } };
    expect(data).toMatchObject({ operationId: id, try: 1, version, language: 'en', text: texts.en });
    expect(data['text']).toContain('Maple Street Books');
    expect(data['text']).toContain('USD\u00a012.50');
    expect(keyId).toBe(id);
    const account = { accountNumber: '********6789', accountType: 'Checking' };
    expect(proof).toEqual({ name: 'Ann Maple', ...account, ...CLIENT });
  });

  it('has the account number and the person in no event', async () => {
    await submit((await openSale(ach)).session);
    await submit((await openToken()).session);
    const { events } = await setup.memory.readAll();
    for (const secret of [ACCOUNT.accountNumber, ACCOUNT.name, CLIENT.ip, CLIENT.userAgent])
      expect(JSON.stringify(events)).not.toContain(secret);
    expect(setup.logged.join()).not.toContain(ACCOUNT.accountNumber);
  });

  it('is consented in the language that the form showed', async () => {
    const { id, session } = await openSale(eft);
    const { version = '', texts } = (await setup.useCases.forms.find(session))?.authorization ?? {};
    await submit(session, { authorization: { version, language: 'fr' } });
    const { data } = await consentIn(await eventsOf(id));
    expect(data).toMatchObject({ language: 'fr', text: texts?.fr });
    expect(data['text']).toContain('12,50\u00a0CAD');
  });

  it('has a proof that is not readable any more once its account holder is erased', async () => {
    const { id, session, payment } = await openSale(ach, { accountHolder: { externalId: 'ann' } });
    await submit(session);
    const holderId = payment.accountHolderId ?? '';
    expect((await consentIn(await eventsOf(id))).keyId).toBe(holderId);
    await setup.useCases.accountHolders.erase(setup.context(), holderId);
    expect((await consentIn(await eventsOf(id))).proof).toBeUndefined();
  });

  it('of a holder who was erased meanwhile has its proof under the key of the operation', async () => {
    const { id, session, payment } = await openSale(ach, { accountHolder: { externalId: 'ann' } });
    await setup.useCases.accountHolders.erase(setup.context(), payment.accountHolderId ?? '');
    expect(statusAfter(await submit(session))).toBe('Processing');
    expect(await consentIn(await eventsOf(id))).toMatchObject({ keyId: id, proof: { name: 'Ann Maple' } });
  });

  it('sends nothing while the vault can not seal the proof, and the form goes on', async () => {
    const { id, session } = await openSale(ach);
    setup.vault.fail('seal');
    expect(await submit(session)).toEqual({ kind: 'CardNotStored' });
    expect([sales, (await eventsOf(id)).length]).toEqual([[], 1]);
    expect(statusAfter(await submit(session))).toBe('Processing');
  });

  it('that is repeated with its key consents and debits once', async () => {
    const { id, session } = await openSale(ach);
    await submit(session, {}, 'k');
    expect(statusAfter(await submit(session, {}, 'k'))).toBe('Processing');
    const types = (await eventsOf(id)).map(({ type }) => type);
    expect(types.filter((type) => type === 'ConsentGiven')).toHaveLength(1);
    expect(sales).toHaveLength(1);
  });

  it('that does not fit its form stores and sends nothing', async () => {
    const { id, session } = await openSale(ach);
    await expect(forms.submit(session)).rejects.toThrow(TypeError);
    expect((await eventsOf(id)).map(({ type }) => type)).toEqual(['SaleRequested']);
    const cards = forms.sessionOf(await forms.sale(1_250));
    await expect(submit(cards)).rejects.toThrow(TypeError);
    expect([sales, setup.processor.sent]).toEqual([[], []]);
  });

  it('needs no 3-D Secure, whatever the default of the payment method is', async () => {
    const { payment } = await openSale(ach);
    expect(payment.form).toMatchObject({ billingInfoCaptureLevel: 'Full', enable3DSecure: false });
  });
});

describe('a bank account that is stored through a form', () => {
  it('is a token at once: the vault has the account, the token its masked number and type', async () => {
    const { session, tokenId } = await openToken({ description: 'Account of Ann' });
    expect(statusAfter(await submit(session))).toBe('Approved');
    expect((await tokenEventsOf(tokenId)).map(({ type }) => type)).toEqual([
      'TokenRequested',
      'StorageConsentGiven',
      'VerificationRequested',
      'TokenCreated',
    ]);
    const { name: _name, ...stored } = ACCOUNT;
    expect(JSON.parse((await setup.vault.openCard(tokenId)) ?? '')).toEqual(stored);
    const token = await setup.token(tokenId);
    expect(token).toMatchObject({ status: 'Active', channel: 'Ach', description: 'Account of Ann' });
    expect(token.paymentMethod).toMatchObject({ accountNumber: '********6789', accountType: 'Checking' });
    expect(token.operations[0]?.responses[0]?.outcome).toMatchObject({ responseCode: 1, source: 'Service' });
    expect([setup.processor.sent, sales]).toEqual([[], []]);
    const found = await setup.useCases.storedCards.find(setup.merchant.id, token.operations[0]?.id ?? '');
    expect(found?.facts).toEqual({ id: tokenId, billingContact: BILLING });
  });

  it('is debited later with the name of its holder, and its consent names no amount', async () => {
    const { session, tokenId } = await openToken();
    await submit(session);
    const { data, keyId, proof } = await consentIn(await tokenEventsOf(tokenId));
    expect([keyId, proof]).toMatchObject([tokenId, { name: 'Ann Maple' }]);
    expect(data['text']).not.toContain('USD');
    const sale = requireAnswered(await setup.tokenSale({ id: tokenId }, 700));
    expect(sale.operation.progress.status).toBe('Processing');
    expect(sale.payment.channel).toBe('Ach');
    expect(sales).toMatchObject([{ channel: 'Ach', amount: 700, bankAccount: ACCOUNT }]);
  });

  it('keeps the name of its holder when its billing contact changes', async () => {
    const { session, tokenId } = await openToken();
    await submit(session);
    const change = { billingContact: { ...BILLING, city: 'Salem' } };
    expect((await setup.useCases.storedCards.update(setup.context(), tokenId, change)).kind).toBe('Answered');
    await setup.tokenSale({ id: tokenId }, 700);
    expect(sales[0]?.bankAccount).toEqual(ACCOUNT);
  });

  it.each(['after-request', 'before-send', 'after-answer', 'before-outcome'] as const)(
    'is not stored, and leaves no key, if the process dies at %s',
    async (point) => {
      const { session, tokenId } = await openToken();
      setup.crash.crashAt(point);
      await expect(submit(session)).rejects.toThrow(Crashed);
      setup.start();
      await setup.untilResolved(3);
      expect((await setup.token(tokenId)).status).toBe('Failed');
      expect(await setup.vault.openCard(tokenId)).toBeUndefined();
      expect((await consentIn(await tokenEventsOf(tokenId))).proof).toBeUndefined();
    },
  );
});
