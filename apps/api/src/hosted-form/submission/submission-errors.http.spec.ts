import { refusal, startTestApi, type Call, type TestApi } from '../../testing/test.api.js';
import { ADDRESS, card, entered, TestForm, VISA } from '../form.testing.js';

const FULL = { billingInfoCaptureLevel: 'Full' };
const MINIMAL = { billingInfoCaptureLevel: 'Minimal' };
const PLACE = { countryCode: 'US', zipCode: '02139' };

let api: TestApi;
let full: TestForm;
let minimal: TestForm;
let asking: TestForm;
beforeAll(async () => {
  api = await startTestApi();
  const form = (formConfig: object) => TestForm.open(api, 'virtual-sale', { formConfig });
  full = await form(FULL);
  minimal = await form(MINIMAL);
  asking = await form({ ...MINIMAL, piiFields: ['Email', 'Phone'] });
});
afterAll(() => api.stop());

const withCard = (more: object) => ({ ...entered(), card: { ...card(), ...more } });
const withAddress = (more: object) => ({ ...entered(), billingContact: { ...ADDRESS, ...more } });
const without = (name: keyof typeof ADDRESS) => withAddress({ [name]: undefined });
const answer = async (form: TestForm, body: unknown, call?: Call) => {
  const { status, text, headers } = await form.submit(body, call);
  return status === 200 ? 'taken' : refusal({ status, text, headers });
};

describe('A submission with an error is refused and is no attempt:', () => {
  const wrong: [string, unknown, string][] = [
    ['nothing', {}, '2000 card'],
    ['a card that is a text', { ...entered(), card: VISA }, '2000 card'],
    ['no number', withCard({ number: undefined }), '2000 card.number'],
    ['a wrong check digit', withCard({ number: '4242424242424241' }), '2000 card.number'],
    ['spaces in the number', withCard({ number: '4242 4242 4242 4242' }), '2000 card.number'],
    ['dashes in the number', withCard({ number: '4242-4242-4242-4242' }), '2000 card.number'],
    ['11 digits', withCard({ number: '42424242427' }), '2000 card.number'],
    ['20 digits', withCard({ number: '42424242424242424242' }), '2000 card.number'],
    ['a number that is no text', withCard({ number: 4242424242424242 }), '2000 card.number'],
    ['no expiry date', withCard({ expDate: undefined }), '2000 card.expDate'],
    ['a month 13', withCard({ expDate: '1334' }), '2000 card.expDate'],
    ['a month that is over', withCard({ expDate: '0120' }), '2000 card.expDate'],
    ['no CVV', withCard({ cvv: undefined }), '2000 card.cvv'],
    ['a CVV of 4 digits', withCard({ cvv: '1234' }), '2000 card.cvv'],
    ['an AMEX CVV of 3 digits', withCard({ number: '378282246310005' }), '2000 card.cvv'],
    ['an unknown field in the card', withCard({ cvv2: '123' }), '2000 card.cvv2'],
    ['a bank account', { ...entered(), bankAccount: {} }, '2000 bankAccount'],
    ['no name', without('name'), '2000 billingContact.name'],
    ['no address', without('address'), '2000 billingContact.address'],
    ['no city', without('city'), '2000 billingContact.city'],
    ['no state', without('state'), '2000 billingContact.state'],
    ['no country', without('countryCode'), '2103 billingContact.countryCode'],
    ['no ZIP code', without('zipCode'), '2103 billingContact.zipCode'],
    ['an unknown country', withAddress({ countryCode: 'XX' }), '2101 billingContact.countryCode'],
    ['a ZIP code of 4 digits', withAddress({ zipCode: '0213' }), '2102 billingContact.zipCode'],
    [
      'a Canadian ZIP code',
      withAddress({ countryCode: 'CA', zipCode: '02139' }),
      '2102 billingContact.zipCode',
    ],
    ['an e-mail address without a question', { ...entered(), email: 'ann@example.com' }, '2000 email'],
    ['a phone number without a question', { ...entered(), phone: '555 0100' }, '2000 phone'],
  ];
  it.each(wrong)('%s', async (_what, body, expected) => {
    const [code, ...fields] = expected.split(' ');
    expect(await answer(full, body)).toBe(['400', code, 'Rejected', ...fields].join(' '));
  });

  it('several at once, by one code or by 2000', async () => {
    const body = { card: { ...card(), cvv: '1' }, billingContact: { ...PLACE, zipCode: '1' } };
    expect(await answer(full, body)).toBe('400 2000 Rejected card.cvv billingContact.zipCode');
    const { card: one } = entered();
    expect(await answer(full, { card: one })).toBe(
      '400 2000 Rejected billingContact.name billingContact.address billingContact.city billingContact.state billingContact.countryCode billingContact.zipCode',
    );
  });

  it('country and ZIP code only, if the form asks for nothing else', async () => {
    expect(await answer(minimal, { card: card() })).toBe(
      '400 2000 Rejected billingContact.countryCode billingContact.zipCode',
    );
  });

  it('the contact fields that the form asks for', async () => {
    const body = { card: card(), billingContact: PLACE };
    expect(await answer(asking, body)).toBe('400 2000 Rejected email phone');
    expect(await answer(asking, { ...body, phone: '555 0100' })).toBe('400 2000 Rejected email');
    expect(await answer(asking, { ...body, email: 'ann', phone: '555 0100' })).toBe(
      '400 2105 Rejected email',
    );
  });

  it('and then the form still takes a good one', async () => {
    for (const form of [full, minimal, asking]) {
      expect(await form.session()).toMatchObject({ status: 'Pending', resultCode: 1010, triesLeft: 5 });
      expect((await form.look()).transactionResponses).toEqual([]);
    }
    const body = { card: card(), billingContact: PLACE };
    expect(await answer(minimal, body)).toBe('taken');
    expect(await answer(asking, { ...body, email: 'ann@example.com', phone: '555 0100' })).toBe('taken');
    expect(await answer(full, withAddress({ address2: 'Apartment 4' }))).toBe('taken');
  });
});

describe('No error of a submission repeats what was sent', () => {
  it.each([
    ['in the number', withCard({ number: '4242424241' })],
    ['in the CVV', withCard({ cvv: '42424' })],
    ['in the expiry date', withCard({ expDate: '4242' })],
    ['in the wrong field', withAddress({ countryCode: '4242', zipCode: '424242' })],
    ['as the card', { ...entered(), card: '4242424' }],
    ['as the name of a field', { ...entered(), '424242': 1 }],
    ['in a field of no use', { ...entered(), email: '424242' }],
  ])('%s', async (_what, body) => {
    const form = await TestForm.open(api, 'virtual-sale');
    const { status, text } = await form.submit(body);
    expect(status).toBe(400);
    const { errorDetails, message } = JSON.parse(text) as {
      readonly errorDetails: readonly object[];
      readonly message: string;
    };
    expect(JSON.stringify([message, errorDetails])).not.toMatch(/42/);
  });
});

describe('The answers of a form come in this order:', () => {
  const unknown = (name: string, call: Call) =>
    api.call('POST', `/pay/ses_${'0'.repeat(32)}/${name}`, { key: null, ...call });

  it('404 of the session before everything', async () => {
    expect(refusal(await unknown('submit', { body: 'no JSON' }))).toBe('404 3201 Rejected');
    expect(refusal(await unknown('cancel', { body: { nonsense: 1 } }))).toBe('404 3201 Rejected');
    const look = await api.get(`/pay/ses_${'0'.repeat(32)}/session`, { key: null });
    expect(refusal(look)).toBe('404 3201 Rejected');
  });

  it('2900, the body, the key, the settings of the form, and then its state', async () => {
    const form = await TestForm.open(api, 'virtual-sale');
    await form.submitted();
    const bad = { headers: { 'idempotency-key': 'k'.repeat(256) } };
    expect(await answer(form, '{"card":1', bad)).toBe('400 2900 Rejected body');
    expect(await answer(form, '{"card":{},"card":{}}', bad)).toBe('400 2900 Rejected card');
    expect(await answer(form, withCard({ cvv: '1' }), bad)).toBe('400 2000 Rejected card.cvv');
    expect(await answer(form, { card: card() }, bad)).toBe('400 2000 Rejected Idempotency-Key');
    expect(await answer(form, withCard({ expDate: '0120' }))).toBe('400 2000 Rejected card.expDate');
    expect(await answer(form, entered())).toBe('400 3201 Rejected');
  });

  it('a body of more than 100,000 bytes and a query are refused as elsewhere', async () => {
    const form = await TestForm.open(api, 'virtual-sale');
    expect(await answer(form, JSON.stringify({ ...entered(), note: 'x'.repeat(100_000) }))).toBe(
      '400 2900 Rejected body',
    );
    const look = await api.get(`/pay/${form.sessionId}/session?lang=fr`, { key: null });
    expect(refusal(look)).toBe('400 2000 Rejected lang');
    expect(refusal(await form.cancel({ body: { reason: 'x' } }))).toBe('400 2000 Rejected reason');
    expect(form.opened.status).toBe('Pending');
  });
});
