import type {
  AdminKeyItem,
  ApiKeyItem,
  CreatedApiKey,
  Merchant,
  OperatorPaymentMethod,
} from '@tillstream/contracts';
import { SAMPLE, SAMPLE_TIME } from '../samples.js';

export const SAMPLE_MERCHANT: Merchant = {
  id: SAMPLE.merchant,
  name: 'Maple Street Books',
  status: 'Active',
  currencies: ['USD', 'CAD'],
  timeZone: 'America/New_York',
  cutOff: '22:00',
  locale: 'en-US',
  fundingType: 'Net',
  managedWebhooks: false,
  unreferencedRefunds: { enabled: false },
  createdAt: SAMPLE_TIME,
  updatedAt: SAMPLE_TIME,
};

const key = { id: SAMPLE.apiKey, name: 'Web shop', readOnly: false, createdAt: SAMPLE_TIME };

export const SAMPLE_API_KEY: ApiKeyItem = { ...key, lastFour: 'x7Qd' };
/** Not one that could be taken for a real key. */
export const SAMPLE_CREATED_KEY: CreatedApiKey = { ...key, key: 'sk_test_…x7Qd' };

export const SAMPLE_ADMIN_KEY: AdminKeyItem = {
  id: SAMPLE.apiKey,
  name: 'Demo operator',
  lastFour: 'x7Qd',
  createdAt: SAMPLE_TIME,
  createdBy: 'first start',
};

export const SAMPLE_OPERATOR_METHOD: OperatorPaymentMethod = {
  id: SAMPLE.form,
  type: 'Virtual',
  currency: 'USD',
  description: 'Web shop',
  isDefault: true,
  formConfig: { billingInfoCaptureLevel: 'Full', enable3DSecure: true },
  allowedOrigins: ['https://shop.example'],
  disabled: false,
};
