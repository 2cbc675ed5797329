import { ErrorCode, type FundingType, type Merchant, type MerchantStatus } from '@tillstream/contracts';
import { answer, pageResponse, type EndpointTexts, type Examples } from '../../openapi/endpoint.js';
import { idParameter } from '../../openapi/parameters.js';
import * as s from '../../openapi/response.schema.js';
import { SAMPLE, SAMPLE_TIME } from '../../openapi/samples.js';
import { CURRENCY } from '../../payment-methods/payment-method.responses.js';
import { MERCHANT_DEFAULTS } from './merchants.dto.js';

/* Merchants as operators see them (`docs/spec/operators.md#merchants`). */

const MERCHANT = s.shape<Merchant>()('Merchant', 'A merchant.', {
  id: s.id('The id of the merchant.', SAMPLE.merchant),
  name: s.text('Its name, printed on receipts.', 'Maple Street Books'),
  status: s.choice<MerchantStatus>('Whether the merchant can use the API.', {
    Active: '',
    Disabled: 'The service refuses its keys.',
  }),
  currencies: s.list('The currencies that it takes.', CURRENCY, { minItems: 1 }),
  timeZone: s.text('IANA name.', 'America/New_York'),
  cutOff: s.text('The cut-off of its batches, in that time zone.', '22:00'),
  locale: s.text('The language of receipts and forms.', 'en-US'),
  fundingType: s.choice<FundingType>('How fees are charged.', {
    Net: 'Subtracted from each settlement.',
    Gross: 'Charged monthly.',
  }),
  managedWebhooks: s.yesOrNo('Whether the merchant can set up managed webhooks.'),
  unreferencedRefunds: s.inline<Merchant['unreferencedRefunds']>('Refunds without an original.', {
    enabled: s.yesOrNo('Whether the merchant can make them.'),
    dailyLimit: s.optional(
      s.integer('The limit in cents per currency and day; absent: no limit.', 100_000, {
        minimum: 0,
        maximum: 999_999_999,
      }),
    ),
  }),
  rateLimitPerSecond: s.optional(
    s.count('Requests a second; 0 is no limit. Absent: the limit of the service.', 500),
  ),
  createdAt: s.time('When it was created.'),
  updatedAt: s.time('When its settings or status last changed.'),
});

const MERCHANT_PAGE = s.pageOf('MerchantPage', MERCHANT);

const SAMPLE_MERCHANT: Merchant = {
  id: SAMPLE.merchant,
  name: 'Maple Street Books',
  status: 'Active',
  ...MERCHANT_DEFAULTS,
  createdAt: SAMPLE_TIME,
  updatedAt: SAMPLE_TIME,
};

const { InvalidTransactionType, ResourceNotFound } = ErrorCode;

export const MERCHANT_ID = idParameter('The merchant.', SAMPLE.merchant);
const unknown = { 404: [ResourceNotFound] };
const response = answer('The merchant.', MERCHANT, SAMPLE_MERCHANT);
const reasons: Examples = {
  reason: ['With a reason', { reason: 'requested by the merchant' }],
  none: ['Without one', {}],
};

export const MERCHANT_ENDPOINTS: EndpointTexts = {
  createMerchant: {
    summary: 'Create a merchant',
    description: 'It can take payments as soon as it has a key and a terminal.',
    examples: {
      simplest: ['With a name only', { name: 'Maple Street Books' }],
      complete: [
        'With all its settings',
        {
          name: 'Librairie des Érables',
          currencies: ['CAD'],
          timeZone: 'America/Toronto',
          cutOff: '21:30',
          locale: 'fr-CA',
          fundingType: 'Gross',
          managedWebhooks: true,
          unreferencedRefunds: { enabled: true, dailyLimit: 100_000 },
          rateLimitPerSecond: 50,
        },
      ],
    },
    rejections: { 400: [InvalidTransactionType] },
    response,
  },
  listMerchants: {
    summary: 'List merchants',
    description: 'All merchants, also disabled ones.',
    filters: { status: { description: 'Whether it can use the API.', example: 'Active' } },
    response: pageResponse(MERCHANT_PAGE, SAMPLE_MERCHANT),
  },
  getMerchant: {
    summary: 'Look a merchant up',
    description: 'The current state.',
    path: { id: MERCHANT_ID },
    rejections: unknown,
    response,
  },
  updateMerchant: {
    summary: 'Change a merchant',
    description: 'Fields that are left out keep their values.',
    path: { id: MERCHANT_ID },
    examples: {
      name: ['A new name', { name: 'Maple Street Books and Records' }],
      refunds: [
        'Allow refunds without an original',
        { unreferencedRefunds: { enabled: true, dailyLimit: 50_000 } },
      ],
    },
    rejections: { ...unknown, 400: [InvalidTransactionType] },
    response,
  },
  disableMerchant: {
    summary: 'Disable a merchant',
    description: 'Every instance refuses its keys within 2 s. Operations that have started go on.',
    path: { id: MERCHANT_ID },
    examples: reasons,
    rejections: unknown,
    response: { ...response, example: { ...SAMPLE_MERCHANT, status: 'Disabled' } },
  },
  enableMerchant: {
    summary: 'Enable a merchant',
    description: 'Every instance accepts its keys again within 2 s.',
    path: { id: MERCHANT_ID },
    examples: reasons,
    rejections: unknown,
    response,
  },
};
