import { ErrorCode, type AdminKeyItem, type ApiKeyItem, type CreatedApiKey } from '@tillstream/contracts';
import { answer, pageResponse, type EndpointTexts } from '../../openapi/endpoint.js';
import { pathParameter } from '../../openapi/parameters.js';
import * as s from '../../openapi/response.schema.js';
import { SAMPLE, SAMPLE_TIME } from '../../openapi/samples.js';
import { MERCHANT_ID } from '../merchants/merchants.docs.js';

const keyFields = {
  id: s.text('The id of the key, not the key itself.', SAMPLE.apiKey),
  name: s.text('The purpose of the key.', 'Web shop'),
  readOnly: s.yesOrNo('Whether it may only read.'),
  createdAt: s.time('When it was created.'),
};
const lastFour = s.text('Its last four characters.', 'x7Qd');

const API_KEY_ITEM = s.shape<ApiKeyItem>()('ApiKey', 'A merchant’s API key, without the key itself.', {
  ...keyFields,
  lastFour,
  revokedAt: s.optional(s.time('When it was revoked.')),
});

const API_KEY_PAGE = s.pageOf('ApiKeyPage', API_KEY_ITEM);

const CREATED_API_KEY = s.shape<CreatedApiKey>()(
  'CreatedApiKey',
  'A new key. No other response contains the key itself.',
  {
    ...keyFields,
    key: s.text('The key. The service stores only its hash and never shows it again.', 'sk_test_…', {
      minLength: 8,
    }),
  },
);

const key = { id: SAMPLE.apiKey, name: 'Web shop', readOnly: false, createdAt: SAMPLE_TIME };

const SAMPLE_API_KEY: ApiKeyItem = { ...key, lastFour: 'x7Qd' };
/** Not one that could be taken for a real key. */
const SAMPLE_CREATED_KEY: CreatedApiKey = { ...key, key: 'sk_test_…x7Qd' };

const unknown = { 404: [ErrorCode.ResourceNotFound] };

export const API_KEY_ENDPOINTS: EndpointTexts = {
  createApiKey: {
    summary: 'Create a key for a merchant',
    description: 'Only this response contains the key: the service stores its hash.',
    path: { merchantId: MERCHANT_ID },
    examples: {
      simplest: ['A key that may write', { name: 'Web shop' }],
      readOnly: ['A read-only key', { name: 'Reports', readOnly: true }],
    },
    rejections: { ...unknown, 400: [ErrorCode.InvalidTransactionType] },
    response: answer('The key. It is valid at once.', CREATED_API_KEY, SAMPLE_CREATED_KEY),
  },
  listApiKeys: {
    summary: 'List the keys of a merchant',
    description: 'The response does not contain the keys themselves.',
    path: { merchantId: MERCHANT_ID },
    filters: { includeRevoked: { description: 'Whether to list revoked keys too.', example: true } },
    rejections: unknown,
    response: pageResponse(API_KEY_PAGE, SAMPLE_API_KEY),
  },
  revokeApiKey: {
    summary: 'Revoke a key of a merchant',
    description: 'Every instance refuses it within 2 s.',
    path: {
      merchantId: MERCHANT_ID,
      keyId: pathParameter('The id of the key, not the key.', {}, SAMPLE.apiKey),
    },
    rejections: unknown,
    response: answer('The revoked key.', API_KEY_ITEM, {
      ...SAMPLE_API_KEY,
      revokedAt: SAMPLE_API_KEY.createdAt,
    }),
  },
};

const ADMIN_KEY_PAGE = s.pageOf(
  'AdminKeyPage',
  s.shape<AdminKeyItem>()('AdminKey', 'An operator’s key, without the key itself.', {
    id: s.text('The id of the key, not the key itself.', SAMPLE.apiKey),
    name: s.text('The operator or program that uses it.', 'Demo operator'),
    lastFour: s.text('Its last four characters.', 'x7Qd'),
    createdAt: s.time('When it was created.'),
    createdBy: s.text('Who created it.', 'first start'),
    revokedAt: s.optional(s.time('When it was revoked.')),
    revokedBy: s.optional(s.text('Who revoked it.', 'Dana Field')),
  }),
);

const SAMPLE_ADMIN_KEY: AdminKeyItem = {
  id: SAMPLE.apiKey,
  name: 'Demo operator',
  lastFour: 'x7Qd',
  createdAt: SAMPLE_TIME,
  createdBy: 'first start',
};

export const ADMIN_KEY_ENDPOINTS: EndpointTexts = {
  listAdminKeys: {
    summary: 'List the keys of operators',
    description:
      'Operators create, exchange and revoke them on the command line of the service’s own machine.',
    filters: { includeRevoked: { description: 'Whether to list revoked keys too.', example: true } },
    response: pageResponse(ADMIN_KEY_PAGE, SAMPLE_ADMIN_KEY),
  },
};
