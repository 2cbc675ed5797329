import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  APPROVED,
  BILLING,
  DECLINED,
  FormsTestSetup,
  statusAfter,
  statusOf,
} from '../testing/forms.setup.js';
import { PaymentsTestSetup, requireAnswered, requireOperationId } from '../testing/payments.setup.js';

let setup: PaymentsTestSetup;
let forms: FormsTestSetup;
beforeEach(async () => {
  setup = await PaymentsTestSetup.open();
  forms = await FormsTestSetup.of(setup);
});
afterEach(() => setup.close());

describe('a request for a payment through a form', () => {
  it('opens a form and sends nothing', async () => {
    const result = await forms.sale(1_000, { returnUrl: 'https://shop.example/done' });
    const { payment, operation } = requireAnswered(result);
    expect(operation.progress).toEqual({ status: 'AwaitingCustomer' });
    expect(payment.form).toMatchObject({
      billingInfoCaptureLevel: 'Full',
      enable3DSecure: false,
      piiFields: [],
      returnUrl: 'https://shop.example/done',
      useJavaScriptCallback: false,
    });
    expect(setup.processor.sent).toEqual([]);
  });

  it('takes the settings of the request, else those of the payment method', async () => {
    const { provisioning } = setup.useCases;
    const operator = { type: 'Operator', name: 'tester' } as const;
    const method = await provisioning.addPaymentMethod(operator, setup.merchant.id, {
      type: 'Virtual',
      currency: 'CAD',
      isDefault: false,
      formConfig: { billingInfoCaptureLevel: 'Minimal', piiFields: ['Email'] },
    });
    await forms.readMerchant();
    const settings = async (formConfig?: object) =>
      requireAnswered(
        await forms.sale(1_000, { paymentMethodId: method.id, ...(formConfig && { formConfig }) }),
      ).payment.form;
    expect(await settings()).toMatchObject({ billingInfoCaptureLevel: 'Minimal', piiFields: ['Email'] });
    expect(await settings({ billingInfoCaptureLevel: 'Full' })).toMatchObject({
      billingInfoCaptureLevel: 'Full',
      piiFields: ['Email'],
    });
    expect(await settings({ billingInfoCaptureLevel: 'Full', piiFields: [] })).toMatchObject({
      piiFields: [],
    });
  });

  it('needs a form, and rejects a terminal', async () => {
    const code = async (more: object) => {
      const result = await forms.sale(1_000, more);
      return result.kind === 'Rejected' ? result.rejection.code : result.kind;
    };
    expect(await code({ paymentMethodId: setup.terminal.id })).toBe('PaymentMethodTypeUnfit');
    expect(await code({ paymentMethodId: 'pmt_vrt_unknown' })).toBe('PaymentMethodNotFound');
  });

  it('is rejected for settings that its form does not have, before its type is', async () => {
    const operator = { type: 'Operator', name: 'tester' } as const;
    const bank = { type: 'VirtualAch', currency: 'USD', description: 'ACH', isDefault: false } as const;
    const { provisioning, payments } = setup.useCases;
    const { id } = await provisioning.addPaymentMethod(operator, setup.merchant.id, bank);
    await forms.readMerchant();
    const request = {
      amount: 100,
      paymentMethodId: id,
      formConfig: { billingInfoCaptureLevel: 'Minimal' },
    } as const;
    expect(await payments.virtualAuth(setup.context(), request)).toMatchObject({
      rejection: { code: 'FormSettingUnfit', setting: 'formConfig.billingInfoCaptureLevel' },
    });
  });

  it('reserves the daily limit of a refund until the form has ended without one', async () => {
    const refund = (amount: number) =>
      setup.useCases.payments.unreferencedVirtualRefund(setup.context(), { amount });
    const first = await refund(9_000);
    expect(first.kind).toBe('Answered');
    expect(await refund(2_000)).toMatchObject({ rejection: { code: 'DailyLimitReached' } });
    await forms.cancel(forms.sessionOf(first));
    expect((await refund(2_000)).kind).toBe('Answered');
  });
});

describe('a submission', () => {
  it('charges the card once, and is over', async () => {
    const result = await forms.sale(1_000);
    const session = forms.sessionOf(result);
    expect(statusAfter(await forms.submit(session))).toBe('Approved');
    expect(await forms.submit(session)).toEqual({ kind: 'Spent' });
    expect(await forms.cancel(session)).toEqual({ kind: 'Spent' });
    expect(setup.chargedTotal()).toBe(1_000);
    const { responses } = await setup.operation(requireOperationId(result));
    expect(responses[0]?.outcome).toMatchObject({
      channel: 'CardNotPresent',
      avsResult: 'Y',
      cvvResult: 'M',
      card: { cardType: 'VISA', maskedCardNumber: '************4242' },
    });
  });

  it('that is repeated under its key is answered, and never sent again', async () => {
    const session = forms.sessionOf(await forms.sale(1_000));
    const declined = await forms.submit(session, DECLINED, { key: 'first' });
    expect(statusAfter(declined)).toBe('AwaitingCustomer');
    expect(statusAfter(await forms.submit(session, DECLINED, { key: 'first' }))).toBe('AwaitingCustomer');
    await forms.submit(session, APPROVED, { key: 'second' });
    expect(statusAfter(await forms.submit(session, APPROVED, { key: 'second' }))).toBe('Approved');
    expect(statusAfter(await forms.submit(session, APPROVED, { key: 'first' }))).toBe('Approved');
    expect(setup.processor.sent).toHaveLength(2);
  });

  it('comes one at a time: of several at once one is sent', async () => {
    const session = forms.sessionOf(await forms.sale(1_000));
    const results = await Promise.all(Array.from({ length: 5 }, () => forms.submit(session)));
    const statuses = results.map(statusAfter);
    expect(statuses.filter((status) => status === 'Approved')).toHaveLength(1);
    expect(setup.processor.sent).toHaveLength(1);
    expect(setup.chargedTotal()).toBe(1_000);
  });

  it('may fail four times and then pay; the fifth failure ends the form', async () => {
    const paid = forms.sessionOf(await forms.sale(1_000));
    for (let failure = 0; failure < 4; failure++) await forms.submit(paid, DECLINED);
    expect(statusAfter(await forms.submit(paid))).toBe('Approved');
    const failed = forms.sessionOf(await forms.sale(2_000));
    for (let failure = 0; failure < 4; failure++) await forms.submit(failed, DECLINED);
    expect(statusAfter(await forms.submit(failed, DECLINED))).toBe('Declined');
    expect(await forms.submit(failed)).toEqual({ kind: 'Spent' });
    expect(setup.chargedTotal()).toBe(1_000);
  });

  it('of a disabled merchant or form is not sent', async () => {
    const session = forms.sessionOf(await forms.sale(1_000));
    const { provisioning } = setup.useCases;
    const operator = { type: 'Operator', name: 'tester' } as const;
    await provisioning.changePaymentMethod(
      operator,
      { merchantId: setup.merchant.id, paymentMethodId: forms.method.id },
      { disabled: true },
    );
    await forms.readMerchant();
    expect(await forms.submit(session)).toEqual({ kind: 'Disabled' });
    expect(setup.processor.sent).toEqual([]);
  });

  it('of a refund is not sent once refunds were switched off', async () => {
    const opened = await setup.useCases.payments.unreferencedVirtualRefund(setup.context(), { amount: 500 });
    const operator = { type: 'Operator', name: 'tester' } as const;
    const off = { unreferencedRefunds: { enabled: false } };
    await setup.useCases.provisioning.changeMerchant(operator, setup.merchant.id, off);
    await forms.readMerchant();
    expect(await forms.submit(forms.sessionOf(opened))).toEqual({ kind: 'Disabled' });
    expect(setup.processor.sent).toEqual([]);
  });

  it('with another session id finds nothing', async () => {
    const session = forms.sessionOf(await forms.sale(1_000));
    const other = session.slice(0, -1) + (session.endsWith('A') ? 'B' : 'A');
    expect(await forms.submit(other)).toEqual({ kind: 'Unknown' });
    expect(await setup.useCases.forms.find(other)).toBeUndefined();
  });
});

describe('a form that was not paid', () => {
  it('is cancelled, and shows the last failure if there was one', async () => {
    const unused = forms.sessionOf(await forms.sale(1_000));
    expect(statusAfter(await forms.cancel(unused))).toBe('Cancelled');
    expect(statusAfter(await forms.cancel(unused))).toBe('Cancelled');
    const tried = forms.sessionOf(await forms.sale(1_000));
    await forms.submit(tried, DECLINED);
    expect(statusAfter(await forms.cancel(tried))).toBe('Declined');
  });

  it('expires for every call as soon as its time has passed', async () => {
    const session = forms.sessionOf(await forms.sale(1_000));
    forms.passLifetime();
    expect(await forms.submit(session)).toEqual({ kind: 'Expired' });
    const opened = await setup.useCases.forms.find(session);
    expect(opened && statusOf(opened)).toBe('FormExpired');
    expect(setup.processor.sent).toEqual([]);
  });

  it('expires without a call, by the resolver', async () => {
    const result = await forms.sale(1_000);
    const declined = await forms.sale(1_000);
    await forms.submit(forms.sessionOf(declined), DECLINED);
    forms.passLifetime();
    await setup.useCases.resolver.runDue(0);
    expect((await setup.operation(requireOperationId(result))).progress.status).toBe('FormExpired');
    expect((await setup.operation(requireOperationId(declined))).progress).toEqual({
      status: 'Declined',
      resultCode: 6900,
    });
  });

  it('leaves no work behind once it has ended', async () => {
    for (const end of ['paid', 'cancelled', 'expired'] as const) {
      const session = forms.sessionOf(await forms.sale(1_000));
      if (end === 'paid') await forms.submit(session);
      if (end === 'cancelled') await forms.cancel(session);
    }
    forms.passLifetime();
    await setup.useCases.resolver.runDue(0);
    expect(await setup.workQueue.list('FormExpiry', undefined, 10)).toEqual([]);
  });
});

it('the billing contact of a payment goes to the processor and is not stored', async () => {
  const result = await forms.sale(1_000);
  await forms.submit(forms.sessionOf(result), APPROVED, {
    billingContact: { ...BILLING, zipCode: '99901', name: 'Unstored Name' },
  });
  const { responses } = await setup.operation(requireOperationId(result));
  expect(responses[0]?.outcome.avsResult).toBe('E');
  expect(JSON.stringify(await setup.payment(requireOperationId(result)))).not.toContain('Unstored Name');
  expect(setup.logged.join()).not.toContain(APPROVED);
});
