import { ErrorCode } from '@tillstream/contracts';
import {
  ACCOUNT_HOLDER_FILTERS,
  AccountHoldersController,
} from '../../account-holders/account-holders.controller.js';
import { ACCOUNT_HOLDER, ACCOUNT_HOLDER_PAGE } from '../answers/account-holder.answers.js';
import { SAMPLE_HOLDER, samplePage } from '../answers/samples.answers.js';
import { ACCOUNT_HOLDER_CHANGE, NEW_ACCOUNT_HOLDER } from '../bodies/account-holder.bodies.js';
import { NO_FIELDS } from '../bodies/payment-method.bodies.js';
import { pathsOf } from '../operation.text.js';
import { listText, pathParameter } from '../parameters.js';
import { SAMPLE } from '../samples.js';

export const HOLDER_ID = pathParameter(
  'The account holder: an `acc_` id, or the merchant’s own `externalId`.',
  { minLength: 1, maxLength: 100 },
  SAMPLE.holder,
);

const unknown = { 404: [ErrorCode.AccountHolderNotFound] };
const answer = {
  description: 'The account holder.',
  schema: ACCOUNT_HOLDER,
  example: SAMPLE_HOLDER,
};

export const ACCOUNT_HOLDERS_PATHS = pathsOf(AccountHoldersController, 'Account holders', {
  create: {
    operationId: 'createAccountHolder',
    summary: 'Create an account holder',
    description: 'The person behind stored cards. An `externalId` that is taken is refused with 2100.',
    body: {
      schema: NEW_ACCOUNT_HOLDER,
      mayBeEmpty: true,
      examples: {
        anonymous: { summary: 'Somebody', value: {} },
        person: {
          summary: 'A person with an address',
          value: {
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
        },
      },
    },
    answer,
  },
  list: {
    operationId: 'listAccountHolders',
    summary: 'List account holders',
    description: 'Those of the merchant, without erased ones.',
    list: listText(
      ACCOUNT_HOLDER_FILTERS,
      { externalId: { description: 'The merchant’s own id.', example: 'customer-1001' } },
      { sorts: ['createdAt', 'updatedAt'], totals: true },
    ),
    answer: {
      description: 'A page of them.',
      schema: ACCOUNT_HOLDER_PAGE,
      example: samplePage(SAMPLE_HOLDER),
    },
  },
  one: {
    operationId: 'getAccountHolder',
    summary: 'Look an account holder up',
    description: 'By our id or by the merchant’s own.',
    path: { id: HOLDER_ID },
    refusals: unknown,
    answer,
  },
  change: {
    operationId: 'updateAccountHolder',
    summary: 'Change an account holder',
    description: 'What is left out stays as it is.',
    path: { id: HOLDER_ID },
    body: {
      schema: ACCOUNT_HOLDER_CHANGE,
      examples: { phone: { summary: 'A new phone number', value: { phone: '+1 617 555 0101' } } },
    },
    refusals: unknown,
    answer,
  },
  erase: {
    operationId: 'eraseAccountHolder',
    summary: 'Erase an account holder',
    description:
      'Removes the person’s stored cards and destroys the keys of the personal data. History keeps its shape without the ' +
      'person. The answer is the last that is heard of it.',
    path: { id: HOLDER_ID },
    body: { schema: NO_FIELDS, mayBeEmpty: true, examples: { none: { summary: 'Nothing', value: {} } } },
    refusals: unknown,
    answer,
  },
});
