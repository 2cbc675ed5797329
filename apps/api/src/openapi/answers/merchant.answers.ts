import type {
  AdminKeyItem,
  ApiKeyItem,
  CreatedApiKey,
  CreatedPaymentMethod,
  FormConfig,
  FundingType,
  Merchant,
  MerchantStatus,
  OperatorPaymentMethod,
} from '@tillstream/contracts';
import {
  as,
  choice,
  id,
  inline,
  integer,
  list,
  optional,
  pageOf,
  shape,
  text,
  time,
  yesOrNo,
} from '../answer.schema.js';
import { SAMPLE } from '../samples.js';
import { CURRENCY, PAYMENT_METHOD_TYPE } from './payment-method.answers.js';

/* Merchants, their keys and payment methods as operators see them (`docs/spec/operators.md#merchants`). */

export const MERCHANT = shape<Merchant>()('Merchant', 'A merchant.', {
  id: id('Names the merchant.', SAMPLE.merchant),
  name: text('Its name, printed on receipts.', 'Maple Street Books'),
  status: choice<MerchantStatus>('Whether it can use the API.', {
    Active: '',
    Disabled: 'Its keys are refused.',
  }),
  currencies: list('What it can take.', CURRENCY, { minItems: 1 }),
  timeZone: text('IANA name.', 'America/New_York'),
  cutOff: text('When its day ends, in that time zone.', '22:00'),
  locale: text('The language of receipts and forms.', 'en-US'),
  fundingType: choice<FundingType>('How fees are taken.', {
    Net: 'Off each settlement.',
    Gross: 'Charged monthly.',
  }),
  managedWebhooks: yesOrNo('Whether it can set up managed webhooks by itself.'),
  unreferencedRefunds: inline<Merchant['unreferencedRefunds']>('Refunds without an original.', {
    enabled: yesOrNo('Whether it can make them.'),
    dailyLimit: optional(
      integer('Cents per currency and day; left out: none.', 100_000, { minimum: 0, maximum: 999_999_999 }),
    ),
  }),
  rateLimitPerSecond: optional(integer('0 is no limit; left out: the service’s own.', 500, { minimum: 0 })),
  createdAt: time('When it was made.'),
  updatedAt: time('When its settings or status last changed.'),
});

export const MERCHANT_PAGE = pageOf('MerchantPage', MERCHANT);

const keyFields = {
  id: text('Names the key; it is not the key.', SAMPLE.apiKey),
  name: text('What it is for.', 'Web shop'),
  readOnly: yesOrNo('Whether it may only read.'),
  createdAt: time('When it was made.'),
};
const lastFour = text('Its last four characters.', 'x7Qd');

export const API_KEY_ITEM = shape<ApiKeyItem>()('ApiKey', 'A merchant’s API key, without the key itself.', {
  ...keyFields,
  lastFour,
  revokedAt: optional(time('When it was revoked.')),
});

export const API_KEY_PAGE = pageOf('ApiKeyPage', API_KEY_ITEM);

export const CREATED_API_KEY = shape<CreatedApiKey>()(
  'CreatedApiKey',
  'A new key: here only it is shown itself.',
  {
    ...keyFields,
    key: text('The key. Only its hash is stored: it is never shown again.', 'sk_test_…', { minLength: 8 }),
  },
);

export const ADMIN_KEY_PAGE = pageOf(
  'AdminKeyPage',
  shape<AdminKeyItem>()('AdminKey', 'An operator’s key, without the key itself.', {
    id: text('Names the key; it is not the key.', SAMPLE.apiKey),
    name: text('Whose it is.', 'Demo operator'),
    lastFour,
    createdAt: time('When it was made.'),
    createdBy: text('Who made it.', 'first start'),
    revokedAt: optional(time('When it was revoked.')),
    revokedBy: optional(text('Who revoked it.', 'Dana Field')),
  }),
);

const FORM_CONFIG = shape<FormConfig>()('FormConfigOfAnswer', 'What a form shows and asks for.', {
  billingInfoCaptureLevel: optional(
    choice<'Minimal' | 'Full'>('How much of the billing address is asked for.', {
      Minimal: 'Country and ZIP or postal code.',
      Full: 'The whole address.',
    }),
  ),
  enable3DSecure: optional(yesOrNo('Whether the cardholder is authenticated.')),
  piiFields: optional(
    list('What else is asked for.', choice<'Email' | 'Phone'>('A field.', { Email: '', Phone: '' })),
  ),
});

const createdFields = {
  id: text('Names the payment method.', SAMPLE.terminal),
  type: PAYMENT_METHOD_TYPE,
  currency: CURRENCY,
  description: optional(text('A name for people.', 'Front counter')),
  isDefault: yesOrNo('Whether it is meant where a request names none; one per merchant and type.'),
  formConfig: optional(as(FORM_CONFIG, 'Of a form: what counts where a request does not say it.')),
  allowedOrigins: optional(
    list('Of a form: pages that it may tell of its end.', text('An origin.', 'https://shop.example')),
  ),
};

export const CREATED_PAYMENT_METHOD = shape<CreatedPaymentMethod>()(
  'CreatedPaymentMethod',
  'A new terminal or form.',
  createdFields,
);

export const OPERATOR_PAYMENT_METHOD = shape<OperatorPaymentMethod>()(
  'OperatorPaymentMethod',
  'A terminal or form, disabled or not.',
  {
    ...createdFields,
    disabled: yesOrNo('Whether it is refused in new requests, and not shown to its merchant.'),
  },
);

export const OPERATOR_PAYMENT_METHOD_PAGE = pageOf('OperatorPaymentMethodPage', OPERATOR_PAYMENT_METHOD);
