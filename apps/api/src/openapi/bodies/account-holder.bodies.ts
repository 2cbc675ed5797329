import { AccountHolderDto, HolderFieldsDto } from '../../account-holders/account-holder.dto.js';
import { BillingContactDto } from '../../account-holders/billing-contact.dto.js';
import { requestSchema } from '../request.schema.js';
import { SAMPLE } from '../samples.js';

/* Persons (`docs/spec/payment-methods.md#account-holders`). */

export const BILLING_CONTACT = requestSchema(
  BillingContactDto,
  'BillingContact',
  'A billing address. Country and ZIP code come together.',
  {
    name: { description: 'Name of the person or company.', example: 'Ann Maple' },
    countryCode: { description: 'ISO 3166-1 alpha-2, in capitals.', example: 'US' },
    zipCode: {
      description:
        '`12345` or `12345-6789` in the US, `A1A 1A1` in Canada, 1 to 10 characters in other countries.',
      example: '02139',
    },
    address: { description: 'Street and number.', example: '12 Main Street' },
    state: { description: 'State or province.', example: 'MA' },
    city: { description: 'City.', example: 'Cambridge' },
    address2: { description: 'What else belongs to the address.', example: 'Apartment 4' },
  },
);

const person = {
  externalId: {
    description: 'Your own id of the person; one per person. The form of ours (`acc_…`) is refused.',
    example: 'customer-1001',
  },
  name: { description: 'Name.', example: 'Ann Maple' },
  email: { description: 'E-mail address.', example: 'ann@example.com' },
  phone: { description: 'Phone number.', example: '+1 617 555 0100' },
  billingContact: { description: 'Billing address.', of: BILLING_CONTACT },
};

export const NEW_ACCOUNT_HOLDER = requestSchema(
  HolderFieldsDto,
  'NewAccountHolder',
  'A person. Without any field it is an anonymous one.',
  person,
);

export const ACCOUNT_HOLDER_CHANGE = requestSchema(
  HolderFieldsDto,
  'AccountHolderChange',
  'What changes; at least one field. What is left out stays; `billingContact` is replaced as a whole.',
  person,
  { atLeastOne: true },
);

export const ACCOUNT_HOLDER_OF_REQUEST = requestSchema(
  AccountHolderDto,
  'AccountHolderOfRequest',
  'The person behind a card: one that exists, by `id`, or by `externalId` one that is found or made. Fields sent for one ' +
    'that exists are passed over.',
  {
    ...person,
    id: { description: 'One that exists.', example: SAMPLE.holder },
  },
);
