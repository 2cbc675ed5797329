import { ErrorCode } from '@tillstream/contracts';
import { ADMIN_KEY_FILTERS, AdminKeysController } from '../../operators/keys/admin-keys.controller.js';
import { API_KEY_FILTERS, ApiKeysController } from '../../operators/keys/api-keys.controller.js';
import { MERCHANT_FILTERS, MerchantsController } from '../../operators/merchants/merchants.controller.js';
import {
  ADMIN_KEY_PAGE,
  API_KEY_ITEM,
  API_KEY_PAGE,
  CREATED_API_KEY,
  MERCHANT,
  MERCHANT_PAGE,
} from '../answers/merchant.answers.js';
import {
  SAMPLE_ADMIN_KEY,
  SAMPLE_API_KEY,
  SAMPLE_CREATED_KEY,
  SAMPLE_MERCHANT,
} from '../answers/samples.merchants.js';
import { samplePage } from '../answers/samples.answers.js';
import { MERCHANT_CHANGE, NEW_API_KEY, NEW_MERCHANT, REASON } from '../bodies/merchant.bodies.js';
import { NO_FIELDS } from '../bodies/payment-method.bodies.js';
import { pathsOf } from '../operation.text.js';
import { listText, pathParameter } from '../parameters.js';
import { SAMPLE, ULID } from '../samples.js';

const { InvalidTransactionType, ResourceNotFound } = ErrorCode;

export const MERCHANT_ID = pathParameter(
  'The merchant.',
  { pattern: `^mer_${ULID.pattern}$` },
  SAMPLE.merchant,
);
const unknown = { 404: [ResourceNotFound] };
const answer = { description: 'The merchant.', schema: MERCHANT, example: SAMPLE_MERCHANT };
const byReason = {
  schema: REASON,
  mayBeEmpty: true,
  examples: {
    reason: { summary: 'With a reason', value: { reason: 'asked for by the merchant' } },
    none: { summary: 'Without one', value: {} },
  },
};

export const MERCHANTS_PATHS = pathsOf(MerchantsController, 'Merchants', {
  create: {
    operationId: 'createMerchant',
    summary: 'Create a merchant',
    description: 'It can take payments at once, with a key and a terminal.',
    body: {
      schema: NEW_MERCHANT,
      examples: {
        simplest: { summary: 'With a name only', value: { name: 'Maple Street Books' } },
        complete: {
          summary: 'With all its settings',
          value: {
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
        },
      },
    },
    refusals: { 400: [InvalidTransactionType] },
    answer,
  },
  list: {
    operationId: 'listMerchants',
    summary: 'List merchants',
    description: 'All of them, disabled ones too.',
    list: listText(
      MERCHANT_FILTERS,
      { status: { description: 'Whether it can use the API.', example: 'Active' } },
      { sorts: ['createdAt', 'updatedAt'], totals: true },
    ),
    answer: {
      description: 'A page of them.',
      schema: MERCHANT_PAGE,
      example: samplePage(SAMPLE_MERCHANT),
    },
  },
  one: {
    operationId: 'getMerchant',
    summary: 'Look a merchant up',
    description: 'As it is now.',
    path: { id: MERCHANT_ID },
    refusals: unknown,
    answer,
  },
  change: {
    operationId: 'updateMerchant',
    summary: 'Change a merchant',
    description: 'What is left out stays as it is.',
    path: { id: MERCHANT_ID },
    body: {
      schema: MERCHANT_CHANGE,
      examples: {
        name: { summary: 'A new name', value: { name: 'Maple Street Books and Records' } },
        refunds: {
          summary: 'Allow refunds without an original',
          value: { unreferencedRefunds: { enabled: true, dailyLimit: 50_000 } },
        },
      },
    },
    refusals: { ...unknown, 400: [InvalidTransactionType] },
    answer,
  },
  disable: {
    operationId: 'disableMerchant',
    summary: 'Disable a merchant',
    description: 'Its keys are refused within 2 s, on every instance. What is under way goes on.',
    path: { id: MERCHANT_ID },
    body: byReason,
    refusals: unknown,
    answer: { ...answer, example: { ...SAMPLE_MERCHANT, status: 'Disabled' } },
  },
  enable: {
    operationId: 'enableMerchant',
    summary: 'Enable a merchant',
    description: 'Its keys work again within 2 s.',
    path: { id: MERCHANT_ID },
    body: byReason,
    refusals: unknown,
    answer,
  },
});

const revoked = {
  includeRevoked: { description: 'Whether to list revoked ones too.', example: true },
};
const inOrder = { sorts: ['createdAt'], totals: true };

export const API_KEYS_PATHS = pathsOf(ApiKeysController, 'Merchants', {
  issue: {
    operationId: 'createApiKey',
    summary: 'Give a merchant a key',
    description: 'The answer is the only place where the key itself is: only its hash is stored.',
    path: { merchantId: MERCHANT_ID },
    body: {
      schema: NEW_API_KEY,
      examples: {
        simplest: { summary: 'For everything', value: { name: 'Web shop' } },
        readOnly: { summary: 'For looking only', value: { name: 'Reports', readOnly: true } },
      },
    },
    refusals: { ...unknown, 400: [InvalidTransactionType] },
    answer: {
      description: 'The key. It works at once.',
      schema: CREATED_API_KEY,
      example: SAMPLE_CREATED_KEY,
    },
  },
  list: {
    operationId: 'listApiKeys',
    summary: 'List the keys of a merchant',
    description: 'Without the keys themselves.',
    path: { merchantId: MERCHANT_ID },
    list: listText(API_KEY_FILTERS, revoked, inOrder),
    refusals: unknown,
    answer: { description: 'A page of them.', schema: API_KEY_PAGE, example: samplePage(SAMPLE_API_KEY) },
  },
  revoke: {
    operationId: 'revokeApiKey',
    summary: 'Revoke a key of a merchant',
    description: 'It stops within 2 s, on every instance.',
    path: {
      merchantId: MERCHANT_ID,
      keyId: pathParameter('The id of the key, not the key.', {}, SAMPLE.apiKey),
    },
    body: { schema: NO_FIELDS, mayBeEmpty: true, examples: { none: { summary: 'Nothing', value: {} } } },
    refusals: unknown,
    answer: {
      description: 'The key as it was.',
      schema: API_KEY_ITEM,
      example: { ...SAMPLE_API_KEY, revokedAt: SAMPLE_API_KEY.createdAt },
    },
  },
});

export const ADMIN_KEYS_PATHS = pathsOf(AdminKeysController, 'Operators', {
  list: {
    operationId: 'listAdminKeys',
    summary: 'List the keys of operators',
    description: 'They are made, exchanged and revoked on the command line of the service’s own machine.',
    list: listText(ADMIN_KEY_FILTERS, revoked, inOrder),
    answer: {
      description: 'A page of them.',
      schema: ADMIN_KEY_PAGE,
      example: samplePage(SAMPLE_ADMIN_KEY),
    },
  },
});
