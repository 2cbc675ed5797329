import {
  CURRENCIES,
  type BillingContact,
  type CurrencyCode,
  type PaymentMethodDetails,
  type PaymentMethodListItem,
  type PaymentMethodTypeName,
} from '@tillstream/contracts';
import type { AccountType, CardType } from '@tillstream/domain';
import * as s from '../openapi/response.schema.js';
import { PAYMENT_METHOD_ID } from '../openapi/samples.js';

/*
 * Payment methods as they are answered (`docs/spec/payment-methods.md#payment-method-object` and
 * `docs/spec/codes.md#card-types`).
 */

export const CURRENCY: s.SchemaOf<CurrencyCode> = {
  type: 'string',
  enum: CURRENCIES,
  description: 'ISO 4217.',
};

export const PAYMENT_METHOD_TYPE: s.SchemaOf<PaymentMethodTypeName> = s.choice(
  'The type of the payment method.',
  {
    Unknown: 'A type that this version does not know.',
    Physical: 'A payment terminal.',
    Virtual: 'A hosted form for cards.',
    VirtualAch: 'A hosted form for US bank accounts.',
    VirtualEft: 'A hosted form for Canadian bank accounts.',
    Token: 'A stored card or bank account.',
  },
);

export const CARD_TYPE: s.SchemaOf<CardType> = s.choice('The brand or kind of the card.', {
  UNKNOWN: '',
  DEBIT: '',
  VISA: '',
  MASTERCARD: '',
  AMEX: '',
  DINERS: '',
  DISCOVER: '',
  JCB: '',
  UNIONPAY: '',
  MAESTRO: '',
  GIFT: '',
  CASH: '',
  EBT: '',
  INTERAC: 'Canadian PIN debit, at terminals only.',
  OTHER: '',
});

export const ACCOUNT_TYPE: s.SchemaOf<AccountType | 'checking' | 'savings'> = s.choice(
  'The kind of account behind the card, or of the bank account. The immediate response of a bank form has it in lower ' +
    'case.',
  { Credit: '', Debit: '', Checking: '', Savings: '', checking: '', savings: '' },
);

const id = (description: string, example: string): s.SchemaOf<string> =>
  s.text(description, example, { pattern: PAYMENT_METHOD_ID });

export const BILLING_CONTACT = s.shape<BillingContact>()(
  'BillingContactOfAnswer',
  'The billing contact of a card or bank account from a hosted form.',
  {
    name: s.optional(s.text('Name of the person or company.', 'Ann Maple')),
    countryCode: s.optional(s.text('ISO 3166-1 alpha-2.', 'US')),
    zipCode: s.optional(s.text('ZIP or postal code.', '02139')),
    address: s.optional(s.text('Street and number.', '12 Main Street')),
    state: s.optional(s.text('State or province.', 'MA')),
    city: s.optional(s.text('City.', 'Cambridge')),
    address2: s.optional(s.text('The second line of the address.', 'Apartment 4')),
  },
);

export const PAYMENT_METHOD_DETAILS = s.shape<PaymentMethodDetails>()(
  'PaymentMethodDetails',
  'A payment method as it was used, or a stored card or bank account.',
  {
    id: id('The id. Read the type from `type`, not from the prefix.', 'pmt_trm_01K4PZX4J6R9T2WQ8VB5NMCHDA'),
    type: PAYMENT_METHOD_TYPE,
    currency: CURRENCY,
    description: s.optional(s.text('A name for people.', 'Front counter')),
    dateDeleted: s.optional(
      s.time(
        'When the stored card or bank account was removed, with its number, expiry date and billing contact.',
      ),
    ),
    billingContact: s.optional(
      s.as(
        BILLING_CONTACT,
        'Only of cards and accounts that were stored through a hosted form, and of payments with them.',
      ),
    ),
    cardType: s.optional(CARD_TYPE),
    maskedCardNumber: s.optional(s.text('The number; only the last digits are shown.', '************4242')),
    cardExpDate: s.optional(s.text('MMYY.', '1234', { pattern: '^[0-9]{4}$' })),
    accountType: s.optional(ACCOUNT_TYPE),
    accountNumber: s.optional(
      s.text('The number of a bank account; only the last digits are shown.', '********6789'),
    ),
  },
);

const PAYMENT_METHOD_LIST_ITEM = s.shape<PaymentMethodListItem>()(
  'PaymentMethodListItem',
  'A terminal or hosted form of the merchant.',
  {
    id: id('Send it as `paymentMethodId`.', 'pmt_trm_01K4PZX4J6R9T2WQ8VB5NMCHDA'),
    type: PAYMENT_METHOD_TYPE,
    currency: CURRENCY,
    description: s.optional(s.text('A name for people.', 'Front counter')),
    isDefault: s.yesOrNo('Whether it is used if `paymentMethodId` is left out; one per merchant and type.'),
  },
);

export const PAYMENT_METHOD_PAGE = s.pageOf('PaymentMethodPage', PAYMENT_METHOD_LIST_ITEM);
export const HOLDER_PAYMENT_METHOD_PAGE = s.pageOf('StoredPaymentMethodPage', PAYMENT_METHOD_DETAILS);
