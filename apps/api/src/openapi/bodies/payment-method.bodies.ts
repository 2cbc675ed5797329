import { ChangeTokenDto, StoreCardDto } from '../../payment-methods/token.dto.js';
import { NoFieldsDto } from '../../validation/no-fields.dto.js';
import { requestSchema } from '../request.schema.js';
import { ACCOUNT_HOLDER_OF_REQUEST, BILLING_CONTACT } from './account-holder.bodies.js';
import { DESCRIPTION, REFERENCE_ID, TERMINAL_ID } from './common.texts.js';

/* Stored cards (`docs/spec/payment-methods.md`). */

export const NO_FIELDS = requestSchema(NoFieldsDto, 'NoFields', 'No body, or an empty object.', {});

const accountHolder = { description: 'Whose card it is.', of: ACCOUNT_HOLDER_OF_REQUEST };

export const STORE_CARD_REQUEST = requestSchema(
  StoreCardDto,
  'StoreCardRequest',
  'A card to be taken at a terminal and kept.',
  {
    paymentMethodId: TERMINAL_ID,
    description: DESCRIPTION,
    accountHolder,
    referenceId: REFERENCE_ID,
  },
);

export const CHANGE_TOKEN_REQUEST = requestSchema(
  ChangeTokenDto,
  'ChangeTokenRequest',
  'What changes of a stored card or bank account; at least one field.',
  {
    description: DESCRIPTION,
    cardExpDate: {
      description: 'MMYY; it counts to the end of that month. Not in the past, and never of a bank account.',
      example: '1234',
    },
    billingContact: { description: 'Takes the place of the old one, as a whole.', of: BILLING_CONTACT },
    accountHolder,
    referenceId: REFERENCE_ID,
  },
  { atLeastOne: true },
);
