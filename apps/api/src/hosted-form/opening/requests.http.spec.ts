import { refusal, startTestApi, type Call, type TestApi } from '../../testing/test.api.js';
import { open, TestForm } from '../form.testing.js';

const ENDPOINTS = ['virtual-sale', 'virtual-auth', 'unreferenced-virtual-refund', 'token'] as const;
const UNREADABLE = `{"amount":1`;

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const answer = async (name: string, body: object = {}, call?: Call): Promise<string> => {
  const reply = await open(api, name, body, call);
  return reply.status === 200 ? 'taken' : refusal(reply);
};
const formConfig = (more: object = {}) => ({
  formConfig: { billingInfoCaptureLevel: 'Full', ...more },
});

async function addForm(body: object, merchant = api.running.facts.merchantId): Promise<string> {
  const path = `/admin/v1/merchants/${merchant}/forms`;
  const reply = await api.call('POST', path, { body: { type: 'Virtual', currency: 'USD', ...body } });
  if (reply.status !== 200) throw new Error(reply.text);
  return (JSON.parse(reply.text) as { readonly id: string }).id;
}

describe.each(ENDPOINTS)('The fields of %s', (name) => {
  it.each([
    ['an unknown field', { nonsense: 1 }, '2000 nonsense'],
    ['a payment method of 36 characters', { paymentMethodId: 'x'.repeat(36) }, '2000 paymentMethodId'],
    ['a reference of ours', { referenceId: 'ref_01K4Q0V7M3T8ZC5YB2X9WDEP00' }, '2000 referenceId'],
    ['a relative address', { returnUrl: '/paid' }, '2000 returnUrl'],
    ['another scheme', { returnUrl: 'javascript:alert(1)' }, '2000 returnUrl'],
    ['an address without a host', { returnUrl: 'https://' }, '2000 returnUrl'],
    ['an address with credentials', { returnUrl: 'https://ann:secret@shop.example/' }, '2000 returnUrl'],
    ['an address with a space', { returnUrl: 'https://shop.example/a b' }, '2000 returnUrl'],
    ['1001 characters', { returnUrl: `https://shop.example/${'x'.repeat(980)}` }, '2000 returnUrl'],
    ['a callback that is no boolean', { useJavaScriptCallback: 'true' }, '2000 useJavaScriptCallback'],
    ['settings without a level', { formConfig: {} }, '2000 formConfig.billingInfoCaptureLevel'],
    [
      'an unknown level',
      formConfig({ billingInfoCaptureLevel: 'Some' }),
      '2000 formConfig.billingInfoCaptureLevel',
    ],
    ['3-D Secure as a text', formConfig({ enable3DSecure: 'yes' }), '2000 formConfig.enable3DSecure'],
    ['an unknown contact field', formConfig({ piiFields: ['Name'] }), '2000 formConfig.piiFields'],
    ['a contact field twice', formConfig({ piiFields: ['Email', 'Email'] }), '2000 formConfig.piiFields'],
    ['an unknown setting', formConfig({ color: 'red' }), '2000 formConfig.color'],
  ])('%s', async (_what, body, expected) => {
    const reply = await open(api, name, body);
    const [code, field] = expected.split(' ');
    expect(refusal(reply)).toBe(`400 ${code} Rejected ${field}`);
    expect(reply.text).not.toContain('secret');
  });

  it('may all be at their limits', async () => {
    const body = {
      returnUrl: `http://localhost:8080/${'x'.repeat(978)}`,
      useJavaScriptCallback: false,
      referenceId: 'r'.repeat(100),
      ...(name !== 'token' && { invoiceNumber: 'A'.repeat(100), orderNumber: 'B'.repeat(100) }),
      ...formConfig({ enable3DSecure: false, piiFields: [] }),
    };
    expect(await answer(name, body)).toBe('taken');
    expect(await answer(name, { ...body, returnUrl: null, formConfig: null })).toBe('taken');
  });

  it('name a form of the merchant that fits', async () => {
    const [ach, eft] = ['ACH form', 'EFT form'].map((description) => api.method(description).id);
    expect(await answer(name, { paymentMethodId: api.method('Front counter').id })).toBe(
      '400 2010 Rejected paymentMethodId',
    );
    expect(await answer(name, { paymentMethodId: await api.token() })).toBe(
      '400 2010 Rejected paymentMethodId',
    );
    const unfit = '400 2010 Rejected paymentMethodId';
    expect(await answer(name, { paymentMethodId: ach })).toBe(
      name === 'virtual-sale' || name === 'token' ? 'taken' : unfit,
    );
    expect(await answer(name, { paymentMethodId: eft })).toBe(name === 'virtual-sale' ? 'taken' : unfit);
    const unknown = 'pmt_vrt_01K4PZX9V1B7K3E5D2FYQ6TGSN';
    expect(await answer(name, { paymentMethodId: unknown })).toBe('404 4002 Rejected paymentMethodId');
    const other = await api.otherMerchant();
    const theirs = await addForm({}, other.id);
    expect(await answer(name, { paymentMethodId: theirs })).toBe('404 4002 Rejected paymentMethodId');
    const disabled = await addForm({});
    await api.call('PUT', `/admin/v1/payment-methods/${disabled}`, { body: { disabled: true } });
    expect(await answer(name, { paymentMethodId: disabled })).toBe('400 2013 Rejected paymentMethodId');
  });

  it('may leave out the form where one is the default or the only one', async () => {
    const { id, key } = await api.otherMerchant({ unreferencedRefunds: { enabled: true } });
    expect(await answer(name, {}, { key })).toBe('400 2000 Rejected paymentMethodId');
    await addForm({ description: 'One' }, id);
    expect(await answer(name, {}, { key })).toBe('taken');
    await addForm({ description: 'Two' }, id);
    expect(await answer(name, {}, { key })).toBe('400 2000 Rejected paymentMethodId');
    const chosen = await addForm({ isDefault: true }, id);
    const form = TestForm.of(api, await open(api, name, {}, { key }));
    expect(form.opened.paymentMethod.id).toBe(chosen);
  });

  it('of a body that can not be read are 2900', async () => {
    const path = name === 'token' ? '/v1/payment-methods/virtual' : `/v1/transactions/${name}`;
    expect(refusal(await api.call('POST', path, { body: UNREADABLE }))).toBe('400 2900 Rejected body');
  });
});

describe('The settings of a form', () => {
  it('are Full without 3-D Secure, if neither the request nor the payment method says so', async () => {
    const form = await TestForm.open(api, 'virtual-sale', { paymentMethodId: await addForm({}) });
    expect((await form.session()).formConfig).toEqual({
      billingInfoCaptureLevel: 'Full',
      enable3DSecure: false,
      piiFields: [],
    });
  });

  it('are those of the payment method, each of which a request can override', async () => {
    const paymentMethodId = await addForm({
      allowedOrigins: ['https://shop.example'],
      formConfig: { billingInfoCaptureLevel: 'Minimal', piiFields: ['Email'] },
    });
    const session = async (body: object) =>
      (await TestForm.open(api, 'virtual-sale', { paymentMethodId, ...body })).session();
    expect(await session({})).toMatchObject({
      formConfig: { billingInfoCaptureLevel: 'Minimal', enable3DSecure: false, piiFields: ['Email'] },
      messageOrigins: ['https://shop.example'],
      useJavaScriptCallback: false,
    });
    const config = formConfig({ piiFields: [] });
    const returnUrl = 'https://checkout.example/paid';
    expect(await session({ ...config, returnUrl, useJavaScriptCallback: true })).toMatchObject({
      formConfig: { billingInfoCaptureLevel: 'Full', enable3DSecure: false, piiFields: [] },
      messageOrigins: ['https://checkout.example', 'https://shop.example'],
      useJavaScriptCallback: true,
    });
  });

  it.each(['virtual-sale', 'virtual-auth', 'token'])('can ask for 3-D Secure: %s', async (name) => {
    const form = await TestForm.open(api, name, formConfig({ enable3DSecure: true }));
    expect((await form.session()).formConfig).toMatchObject({ enable3DSecure: true });
  });

  it('have no 3-D Secure on a refund', async () => {
    expect(await answer('unreferenced-virtual-refund', formConfig({ enable3DSecure: true }))).toBe(
      '400 2000 Rejected formConfig.enable3DSecure',
    );
  });

  it('that a bank form can not have win over its own error', async () => {
    const paymentMethodId = api.method('ACH form').id;
    expect(await answer('virtual-sale', { paymentMethodId, ...formConfig({ enable3DSecure: true }) })).toBe(
      '400 2000 Rejected formConfig.enable3DSecure',
    );
    const minimal = formConfig({ billingInfoCaptureLevel: 'Minimal' });
    expect(await answer('virtual-sale', { paymentMethodId, ...minimal })).toBe(
      '400 2000 Rejected formConfig.billingInfoCaptureLevel',
    );
  });
});

describe('The account holder of a form', () => {
  it.each(['virtual-sale', 'unreferenced-virtual-refund', 'token'])(
    'of a %s is found or created',
    async (name) => {
      const accountHolder = { externalId: `customer-${name}`, name: 'Ann Maple' };
      const form = await TestForm.open(api, name, { accountHolder });
      expect(form.opened.accountHolderId).toMatch(/^acc_/);
      const again = await TestForm.open(api, name, { accountHolder });
      expect(again.opened.accountHolderId).toBe(form.opened.accountHolderId);
      const unknown = { accountHolder: { id: 'acc_01K4Q1A3B7C9D2E4F6G8H0J1KM' } };
      expect(await answer(name, unknown)).toBe('404 4003 Rejected accountHolder.id');
      const wrong = { externalId: 'x', email: 'ann' };
      expect(await answer(name, { accountHolder: wrong })).toBe('400 2105 Rejected accountHolder.email');
      expect(await answer(name, { accountHolder: {} })).toBe('400 2100 Rejected accountHolder.id');
    },
  );

  it.each([[{ email: 'ann' }], ['nobody'], [7], [[]], [{ id: 'acc_x', nonsense: {} }]])(
    'of an authorization is ignored, and not validated: %j',
    async (accountHolder) => {
      const form = await TestForm.open(api, 'virtual-auth', { accountHolder });
      expect(form.opened.accountHolderId).toBeUndefined();
    },
  );
});

it('A refund by a form has to be enabled, and is within the daily limit', async () => {
  const off = await api.otherMerchant();
  await addForm({}, off.id);
  expect(await answer('unreferenced-virtual-refund', {}, { key: off.key })).toBe('400 2013 Rejected');
  const limited = await api.otherMerchant({ unreferencedRefunds: { enabled: true, dailyLimit: 2_000 } });
  await addForm({}, limited.id);
  const call = { key: limited.key };
  const form = await TestForm.open(api, 'unreferenced-virtual-refund', {}, call);
  expect(await answer('unreferenced-virtual-refund', {}, call)).toBe('400 2013 Rejected amount');
  await form.cancel();
  expect(await answer('unreferenced-virtual-refund', {}, call)).toBe('taken');
});
