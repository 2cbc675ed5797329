import {
  foldPayment,
  foldToken,
  type HostedForm,
  type Payment,
  type PaymentEvent,
  type Token,
} from '@tillstream/domain';
import { formProgress, formSession, withFormLink, withoutForm } from './hosted-form.shapes.js';
import { tokenOperationResult } from './token-operation.result.js';
import { create, tokenRequested } from './token-operation.result.testing.js';
import { transactionResult } from './transaction.result.js';
import { attemptRequested, byForm, formFailed, later, ofSale, sale } from './transaction.result.testing.js';

const form: HostedForm = {
  sessionHash: 'a'.repeat(64),
  expiresAt: '2026-08-03T12:30:00.000Z',
  returnUrl: 'https://shop.example/done?order=7#top',
  useJavaScriptCallback: true,
  billingInfoCaptureLevel: 'Minimal',
  enable3DSecure: false,
  piiFields: ['Email'],
};
const presented = (...events: PaymentEvent[]) => {
  const [opening, ...rest] = [byForm, ...events];
  const opened = { ...opening, data: { ...opening?.data, form } } as PaymentEvent;
  return { form, result: transactionResult(foldPayment([opened, ...rest]) as Payment, sale) };
};

describe('the progress of a form', () => {
  it('before a submission is pending, with five tries', () => {
    expect(formProgress(presented())).toMatchObject({ status: 'Pending', resultCode: 1010, triesLeft: 5 });
    expect(formProgress(presented())).not.toHaveProperty('responseCode');
    expect(formProgress(presented())).not.toHaveProperty('redirectUrl');
  });

  it('after failed submissions says why, and how many tries are left', () => {
    expect(
      formProgress(
        presented(attemptRequested(1), formFailed(1, 6900, 11), attemptRequested(2), formFailed(2, 6900, 10)),
      ),
    ).toMatchObject({
      status: 'Pending',
      resultCode: 6900,
      responseCode: 10,
      triesLeft: 3,
    });
  });

  it('when it is over adds the five parameters to the query of returnUrl', () => {
    const ended = formProgress(
      presented({
        type: 'Cancelled',
        data: { ...ofSale, try: 0, by: 'Customer', source: 'Service', resultCode: 55 },
      }),
    );
    expect(ended.triesLeft).toBe(0);
    const url = new URL(ended.redirectUrl ?? '');
    expect([url.origin + url.pathname, url.hash]).toEqual(['https://shop.example/done', '#top']);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      order: '7',
      transactionId: sale,
      referenceId: ended.referenceId,
      status: 'Cancelled',
      resultCode: '55',
    });
  });
});

describe('the session of a form', () => {
  const session = {
    ...presented(),
    merchant: { name: 'Maple Street Books', locale: 'fr-CA' },
    paymentMethodType: 'Virtual',
    allowedOrigins: ['https://pay.shop.example', 'https://shop.example'],
    now: later,
  } as const;

  it('has what the page shows, and no card data or session id', () => {
    expect(formSession(session)).toMatchObject({
      type: 'Sale',
      merchantName: 'Maple Street Books',
      locale: 'fr-CA',
      amount: 1_000,
      formConfig: { billingInfoCaptureLevel: 'Minimal', enable3DSecure: false, piiFields: ['Email'] },
      expiresAt: form.expiresAt,
      now: later,
    });
    expect(JSON.stringify(formSession(session))).not.toMatch(/ses_|sessionHash|maskedCardNumber/);
  });

  it('names the origin of returnUrl and the registered ones as those of messages, each once', () => {
    expect(formSession(session).messageOrigins).toEqual(['https://shop.example', 'https://pay.shop.example']);
  });
});

describe('the link of a form', () => {
  const linked = (sessionId: string | undefined) =>
    withFormLink(presented().result, () => sessionId, 'https://pay.example');

  it('is the address of the page, in the place of the pending form', () => {
    expect(linked('ses_1').form).toEqual({
      url: 'https://pay.example/pay/ses_1',
      sessionId: 'ses_1',
      expiresAt: form.expiresAt,
    });
    expect(Object.keys(linked('ses_1'))).toEqual(Object.keys(presented().result));
  });

  it('is left out without a key for the session, and of a form that is over', () => {
    expect(linked(undefined)).not.toHaveProperty('form');
    expect(withoutForm(presented().result)).not.toHaveProperty('form');
    const expired = presented({ type: 'FormExpired', data: ofSale });
    expect(expired.result).not.toHaveProperty('form');
  });

  it('is that of a stored card too', () => {
    const opened = { ...tokenRequested, data: { ...tokenRequested.data, form } } as typeof tokenRequested;
    const result = tokenOperationResult(foldToken([opened]) as Token, create);
    expect(withFormLink(result, () => 'ses_2', 'https://pay.example').form).toMatchObject({
      sessionId: 'ses_2',
    });
  });
});
