import type { AccountHolder } from '@tillstream/contracts';
import { as, id, optional, pageOf, shape, text, time } from '../openapi/response.schema.js';
import { SAMPLE } from '../openapi/samples.js';
import { BILLING_CONTACT } from '../payment-methods/payment-method.responses.js';

/** `docs/spec/payment-methods.md#account-holders`. */
export const ACCOUNT_HOLDER = shape<AccountHolder>()(
  'AccountHolder',
  'The person behind stored cards and bank accounts.',
  {
    id: id('Names the account holder.', SAMPLE.holder),
    externalId: optional(text('The merchant’s own id.', 'customer-1001', { maxLength: 100 })),
    name: optional(text('Name.', 'Ann Maple')),
    email: optional(text('E-mail address.', 'ann@example.com')),
    phone: optional(text('Phone number.', '+1 617 555 0100')),
    billingContact: optional(as(BILLING_CONTACT, 'Billing address.')),
    createdAt: time('When it was made.'),
    updatedAt: time('When it last changed.'),
  },
);

export const ACCOUNT_HOLDER_PAGE = pageOf('AccountHolderPage', ACCOUNT_HOLDER);
