import { fileURLToPath } from 'node:url';
import { codecContract } from '../shared/testing/codec-contract.testing.js';
import { apiKeyCodec } from './api-key.js';
import { merchantCodec, type MerchantSettings } from './merchant.js';

const folder = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const at = '2026-03-01T12:00:00.000Z';

const settings: Required<MerchantSettings> = {
  name: 'Maple Street Books',
  currencies: ['USD', 'CAD'],
  timeZone: 'America/New_York',
  cutOff: '22:00',
  locale: 'en-US',
  fundingType: 'Net',
  managedWebhooks: true,
  unreferencedRefunds: { enabled: true, dailyLimit: 100_000 },
  rateLimitPerSecond: 500,
};
const unreferencedRefunds = { enabled: true, dailyLimit: 100_000 };
const paymentMethodId = 'pmt_vrt_01JQ0000000000000000000000';
const form = {
  formConfig: { billingInfoCaptureLevel: 'Full', enable3DSecure: true, piiFields: ['Email', 'Phone'] },
  allowedOrigins: ['https://shop.example'],
} as const;
const key = { at, keyId: 'key_01JQ0000000000000000000000', name: 'till 1', readOnly: false };

/** Version 1 could not change the currency. */
const changedInVersion1 = {
  at,
  paymentMethodId,
  description: 'Web shop 2',
  isDefault: false,
  disabled: true,
  ...form,
};

describe('the stored events of a merchant', () => {
  const examples = {
    MerchantCreated: { at, merchantId: 'mer_01JQ0000000000000000000000', ...settings, unreferencedRefunds },
    MerchantChanged: { at, ...settings, unreferencedRefunds },
    MerchantDisabled: { at, reason: 'fraud suspected' },
    MerchantEnabled: { at, reason: 'cleared' },
    PaymentMethodAdded: {
      at,
      paymentMethodId,
      type: 'Virtual',
      currency: 'USD',
      description: 'Web shop',
      isDefault: true,
      ...form,
    },
    PaymentMethodChanged: {
      at,
      paymentMethodId,
      currency: 'CAD',
      description: 'Web shop 2',
      isDefault: false,
      disabled: true,
      ...form,
    },
    ApiKeyIssued: { ...key, keyHash: 'ab'.repeat(32), lastFour: 'x7Qp' },
    ApiKeyRevoked: { at, keyId: key.keyId },
  } as const;
  codecContract(merchantCodec, folder('./fixtures'), examples, [
    {
      stored: { type: 'PaymentMethodChanged', schemaVersion: 1, data: changedInVersion1 },
      readAs: { type: 'PaymentMethodChanged', data: changedInVersion1 },
    },
  ]);
});

describe('the stored events of a key', () => {
  codecContract(apiKeyCodec, folder('./fixtures-apikey'), {
    KeyActivated: { ...key, merchantId: 'mer_01JQ0000000000000000000000' },
    KeyRevoked: { at },
  });
});
