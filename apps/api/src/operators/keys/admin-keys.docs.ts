import type { AdminKeyItem } from '@tillstream/contracts';
import { pageResponse, type EndpointTexts } from '../../openapi/endpoint.js';
import * as s from '../../openapi/response.schema.js';
import { SAMPLE, SAMPLE_TIME } from '../../openapi/samples.js';

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
