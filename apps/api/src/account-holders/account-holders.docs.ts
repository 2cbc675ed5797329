import { ErrorCode, type AccountHolder } from '@tillstream/contracts';
import { answer, pageResponse, type EndpointTexts } from '../openapi/endpoint.js';
import { pathParameter } from '../openapi/parameters.js';
import * as s from '../openapi/response.schema.js';
import { SAMPLE, SAMPLE_TIME } from '../openapi/samples.js';
import { BILLING_CONTACT } from '../payment-methods/payment-method.responses.js';

/** `docs/spec/payment-methods.md#account-holders`. */
const ACCOUNT_HOLDER = s.shape<AccountHolder>()(
  'AccountHolder',
  'The person who owns stored cards and bank accounts.',
  {
    id: s.id('The id of the account holder.', SAMPLE.holder),
    externalId: s.optional(s.text('The merchant’s own id.', 'customer-1001', { maxLength: 100 })),
    name: s.optional(s.text('Name.', 'Ann Maple')),
    email: s.optional(s.text('E-mail address.', 'ann@example.com')),
    phone: s.optional(s.text('Phone number.', '+1 617 555 0100')),
    billingContact: s.optional(s.as(BILLING_CONTACT, 'Billing address.')),
    createdAt: s.time('When it was created.'),
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
    description:
      'The person who owns stored cards and bank accounts. An `externalId` of another account holder is refused with 2100.',
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
    description: 'The account holders of the merchant, without erased ones.',
    filters: { externalId: { description: 'The merchant’s own id.', example: 'customer-1001' } },
    response: pageResponse(ACCOUNT_HOLDER_PAGE, SAMPLE_HOLDER),
  },
  getAccountHolder: {
    summary: 'Look an account holder up',
    description: 'By its `acc_` id or by your `externalId`.',
    path: { id: HOLDER_ID },
    rejections: unknown,
    response,
  },
  updateAccountHolder: {
    summary: 'Change an account holder',
    description: 'Fields that are left out keep their values.',
    path: { id: HOLDER_ID },
    examples: { phone: ['A new phone number', { phone: '+1 617 555 0101' }] },
    rejections: unknown,
    response,
  },
  eraseAccountHolder: {
    summary: 'Erase an account holder',
    description:
      'Removes the stored cards of the person and destroys the keys of the personal data. The history of payments remains, ' +
      'without the personal data. Only this response still shows the account holder.',
    path: { id: HOLDER_ID },
    rejections: unknown,
    response,
  },
};
