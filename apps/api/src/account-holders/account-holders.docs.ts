import { ErrorCode, type AccountHolder } from '@tillstream/contracts';
import { answer, pageResponse, type EndpointTexts } from '../openapi/endpoint.js';
import { pathParameter } from '../openapi/parameters.js';
import * as s from '../openapi/response.schema.js';
import { SAMPLE, SAMPLE_TIME } from '../openapi/samples.js';
import { BILLING_CONTACT } from '../payment-methods/payment-method.responses.js';

/** `docs/spec/payment-methods.md#account-holders`. */
const ACCOUNT_HOLDER = s.shape<AccountHolder>()(
  'AccountHolder',
  'The person behind stored cards and bank accounts.',
  {
    id: s.id('Names the account holder.', SAMPLE.holder),
    externalId: s.optional(s.text('The merchant’s own id.', 'customer-1001', { maxLength: 100 })),
    name: s.optional(s.text('Name.', 'Ann Maple')),
    email: s.optional(s.text('E-mail address.', 'ann@example.com')),
    phone: s.optional(s.text('Phone number.', '+1 617 555 0100')),
    billingContact: s.optional(s.as(BILLING_CONTACT, 'Billing address.')),
    createdAt: s.time('When it was made.'),
    updatedAt: s.time('When it last changed.'),
  },
);

const ACCOUNT_HOLDER_PAGE = s.pageOf('AccountHolderPage', ACCOUNT_HOLDER);

const SAMPLE_HOLDER: AccountHolder = {
  id: SAMPLE.holder,
  externalId: 'customer-1001',
  name: 'Ann Maple',
  email: 'ann@example.com',
  createdAt: SAMPLE_TIME,
  updatedAt: SAMPLE_TIME,
};

export const HOLDER_ID = pathParameter(
  'The account holder: an `acc_` id, or the merchant’s own `externalId`.',
  { minLength: 1, maxLength: 100 },
  SAMPLE.holder,
);

const unknown = { 404: [ErrorCode.AccountHolderNotFound] };
const response = answer('The account holder.', ACCOUNT_HOLDER, SAMPLE_HOLDER);

export const ACCOUNT_HOLDER_ENDPOINTS: EndpointTexts = {
  createAccountHolder: {
    summary: 'Create an account holder',
    description: 'The person behind stored cards. An `externalId` that is taken is refused with 2100.',
    examples: {
      anonymous: ['An anonymous person', {}],
      person: [
        'A person with an address',
        {
          externalId: 'customer-1003',
          name: 'Ann Maple',
          email: 'ann@example.com',
          phone: '+1 617 555 0100',
          billingContact: {
            name: 'Ann Maple',
            address: '12 Main Street',
            city: 'Cambridge',
            state: 'MA',
            countryCode: 'US',
            zipCode: '02139',
          },
        },
      ],
    },
    response,
  },
  listAccountHolders: {
    summary: 'List account holders',
    description: 'Those of the merchant, without erased ones.',
    filters: { externalId: { description: 'The merchant’s own id.', example: 'customer-1001' } },
    response: pageResponse(ACCOUNT_HOLDER_PAGE, SAMPLE_HOLDER),
  },
  getAccountHolder: {
    summary: 'Look an account holder up',
    description: 'By our id or by the merchant’s own.',
    path: { id: HOLDER_ID },
    rejections: unknown,
    response,
  },
  updateAccountHolder: {
    summary: 'Change an account holder',
    description: 'What is left out stays as it is.',
    path: { id: HOLDER_ID },
    examples: { phone: ['A new phone number', { phone: '+1 617 555 0101' }] },
    rejections: unknown,
    response,
  },
  eraseAccountHolder: {
    summary: 'Erase an account holder',
    description:
      'Removes the person’s stored cards and destroys the keys of the personal data. History keeps its shape without the ' +
      'person. The response shows the holder for the last time.',
    path: { id: HOLDER_ID },
    rejections: unknown,
    response,
  },
};
