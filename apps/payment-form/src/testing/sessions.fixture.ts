import type { FormSession } from '@tillstream/contracts';

export const SESSION_ID = 'ses_0123456789abcdefghijABCDEFGHIJ01';

/** A form for a sale that waits, with 30 minutes left. */
export function formSession(part: Partial<FormSession> = {}): FormSession {
  const now = Date.now();
  return {
    transactionId: 'trx_01JD0000000000000000000001',
    referenceId: 'ref_01JD0000000000000000000001',
    status: 'Pending',
    resultCode: 1010,
    resultText: 'The request is pending.',
    triesLeft: 5,
    type: 'Sale',
    merchantName: 'Maple Books',
    amount: 12_840,
    currency: 'USD',
    paymentMethodType: 'Virtual',
    locale: 'en-US',
    formConfig: { billingInfoCaptureLevel: 'Full', enable3DSecure: false, piiFields: [] },
    useJavaScriptCallback: false,
    messageOrigins: [],
    expiresAt: new Date(now + 30 * 60_000).toISOString(),
    now: new Date(now).toISOString(),
    ...part,
  };
}

export const MINIMAL: Pick<FormSession, 'formConfig'> = {
  formConfig: { billingInfoCaptureLevel: 'Minimal', enable3DSecure: false, piiFields: [] },
};

const AUTHORIZATION = {
  version: '2026-08',
  texts: {
    en: 'I authorize Maple Books to take this payment from my account. I can revoke this until the payment is sent.',
    fr: 'J’autorise Maple Books à prélever ce paiement de mon compte. Je peux le révoquer avant l’envoi du paiement.',
  },
};
export const ACH: Partial<FormSession> = { paymentMethodType: 'VirtualAch', authorization: AUTHORIZATION };
export const EFT: Partial<FormSession> = {
  paymentMethodType: 'VirtualEft',
  currency: 'CAD',
  locale: 'en-CA',
  authorization: AUTHORIZATION,
};
