import { resultOf, refusal, startTestApi, type TestApi } from '../testing/test.api.js';
import { eventually } from '../testing/eventually.js';
import { ADDRESS, entered, open, TestForm } from './form.testing.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

async function paid(name: string, body: object = {}): Promise<TestForm> {
  const form = await TestForm.open(api, name, body);
  expect(await form.submitted()).toMatchObject({ status: 'Completed', responseCode: 1 });
  return form;
}
const original = ({ id }: TestForm) => ({ originalTransactionId: id });

describe('A payment by a form', () => {
  it('is refunded, as a void in its batch and once only', async () => {
    const sale = await paid('virtual-sale');
    const refund = await api.transaction('refund', original(sale));
    expect(refund).toMatchObject({ type: 'Refund', executedAs: 'Void', amount: 1250 });
    expect(refund.transactionResponses[0]?.responseCode).toBe(1);
    const again = await api.transaction('refund', original(sale));
    expect(again.transactionResponses[0]?.responseCode).toBe(21);
  });

  it('is captured in parts, up to its amount', async () => {
    const auth = await paid('virtual-auth', { referenceId: 'by-form' });
    const part = await api.transaction('capture', { originalReferenceId: 'by-form', amount: 1000 });
    expect(part.transactionResponses[0]).toMatchObject({ responseCode: 1, amountApproved: 1000 });
    expect(refusal(await api.operation('capture', { ...original(auth), amount: 251 }))).toBe(
      '400 2012 Rejected amount',
    );
    const voided = await api.transaction('void', original(auth));
    expect(voided).toMatchObject({ type: 'Void', amount: 250 });
  });

  it('is voided', async () => {
    const voided = await api.transaction('void', original(await paid('virtual-sale')));
    expect(voided.transactionResponses[0]?.responseCode).toBe(1);
  });

  it('can not be followed while its form waits, nor if it ended without an approval', async () => {
    const form = await TestForm.open(api, 'virtual-sale');
    expect(refusal(await api.operation('refund', original(form)))).toBe('409 3401 Rejected');
    await form.submitted(entered('4000000000000002'));
    expect(refusal(await api.operation('void', original(form)))).toBe('409 3401 Rejected');
    await form.cancel();
    expect(refusal(await api.operation('refund', original(form)))).toBe(
      '400 2011 Rejected originalTransactionId',
    );
  });

  it('is listed by its filters', async () => {
    const form = await paid('virtual-sale', { invoiceNumber: 'FORM1', orderNumber: 'O1' });
    for (const query of [
      'invoiceNumber=FORM1',
      'orderNumber=O1',
      `id=${form.id}&cardType=VISA&status=Completed`,
    ]) {
      const { data } = await api.list(`/v1/transactions?${query}`);
      expect(data.map(({ id }) => id)).toEqual([form.id]);
    }
  });
});

describe('A card that a form stored', () => {
  it('pays, with its billing contact shown and checked', async () => {
    const holder = { accountHolder: { externalId: 'customer-1', name: 'Ann Maple' } };
    const form = await paid('token', holder);
    const { paymentMethod, accountHolderId } = await form.look();
    expect(paymentMethod).toMatchObject({ type: 'Token', billingContact: ADDRESS, cardType: 'VISA' });
    const sale = await api.transaction('token-sale', { amount: 700, paymentMethodId: paymentMethod.id });
    expect(sale.paymentMethod).toMatchObject({ id: paymentMethod.id, billingContact: ADDRESS });
    expect(sale.transactionResponses[0]).toMatchObject({ responseCode: 1, avsResult: 'Y' });
    const { data } = await api.list<{ readonly id: string }>('/v1/payment-methods/account-holder/customer-1');
    expect([accountHolderId, data[0]?.id]).toEqual([expect.stringMatching(/^acc_/), paymentMethod.id]);
  });

  it('has the AVS result of its own ZIP code in each payment', async () => {
    const form = await TestForm.open(api, 'token');
    await form.submitted({ ...entered(), billingContact: { ...ADDRESS, zipCode: '99902' } });
    const paymentMethodId = (await form.look()).paymentMethod.id;
    const sale = await api.transaction('token-sale', { amount: 700, paymentMethodId });
    expect(sale.transactionResponses[0]).toMatchObject({ responseCode: 1, avsResult: 'R' });
  });

  it('is none before the form is over', async () => {
    const form = TestForm.of(api, await open(api, 'token'));
    const shown = resultOf(await api.get(`/v1/transactions/${form.id}`));
    expect(shown.paymentMethod.type).toBe('Virtual');
    await form.cancel();
    expect((await form.look()).paymentMethod.type).toBe('Virtual');
  });
});

describe('A disabled merchant or form takes no submission', () => {
  it.each(['merchant', 'form'])('%s', async (what) => {
    const merchant = await api.otherMerchant();
    const created = await api.call('POST', `/admin/v1/merchants/${merchant.id}/forms`, {
      body: { type: 'Virtual', currency: 'USD' },
    });
    const { id } = JSON.parse(created.text) as { readonly id: string };
    const form = TestForm.of(api, await open(api, 'virtual-sale', {}, { key: merchant.key }));
    if (what === 'merchant')
      await api.call('POST', `/admin/v1/merchants/${merchant.id}/disable`, { body: { reason: 'test' } });
    else await api.call('PUT', `/admin/v1/payment-methods/${id}`, { body: { disabled: true } });
    await eventually(async () => {
      const reply = await form.submit({ ...entered('4000000000000002') });
      return reply.status === 401 && refusal(reply) === '401 1001 Rejected';
    });
    expect((await form.session()).status).toBe('Pending');
    expect((await form.cancel()).status).toBe(200);
  });
});
