import { ErrorCode } from '@tillstream/contracts';
import luhn from 'validator/lib/isLuhnNumber.js';
import { Email } from '../../account-holders/account-holder.dto.js';
import { BillingContactDto } from '../../account-holders/billing-contact.dto.js';
import { Described, RequestSchema } from '../../openapi/request.schema.js';
import { Confidential, NeverEmpty } from '../../validation/body.check.js';
import { CardExpiry, Nested, Text } from '../../validation/field.decorators.js';
import { field } from '../../validation/field.rule.js';
import { FormBankAccountDto, ShownAuthorizationDto } from '../bank-forms/bank-account.dto.js';

const NUMBER = /^\d{12,19}$/;
const AMERICAN_EXPRESS = /^3[47]\d{13}$/;

const CardNumber = (): PropertyDecorator =>
  field({
    allowed: 'a card number: 12 to 19 digits, the last of them the check digit',
    required: true,
    fits: (value) => typeof value === 'string' && NUMBER.test(value) && luhn.default(value),
    schema: { type: 'string', pattern: NUMBER.source },
  });

const Cvv = (): PropertyDecorator =>
  field({
    allowed: '3 digits, or 4 of an AMEX card',
    required: true,
    fits: (value, { number }) => typeof value === 'string' && cvvFormOf(number).test(value),
    schema: { type: 'string', pattern: '^[0-9]{3,4}$' },
  });

/** Where the card number is wrong itself, its own error is enough. */
function cvvFormOf(number: unknown): RegExp {
  if (typeof number !== 'string' || !NUMBER.test(number)) return /^\d{3,4}$/;
  return AMERICAN_EXPRESS.test(number) ? /^\d{4}$/ : /^\d{3}$/;
}

@RequestSchema('FormCard', 'The card that the customer entered.')
class FormCardDto {
  @Described('Digits only.', '4242424242424242')
  @CardNumber()
  number!: string;
  @Described('MMYY; the card is valid until the end of that month.', '1234')
  @CardExpiry({ required: true })
  expDate!: string;
  @Described('3 digits; 4 of an AMEX card.', '123')
  @Cvv()
  cvv!: string;
}

/**
 * `docs/spec/hosted-form.md#submission`: what a customer entered. What the type and the settings of the form decide is
 * checked in `submission.check.ts`.
 */
@RequestSchema('FormSubmission', 'What the customer entered.')
@Confidential()
@NeverEmpty()
export class FormSubmissionDto {
  @Described('Of a card form: the card.')
  @Nested(FormCardDto, ErrorCode.RequestValidationGenericError)
  card?: FormCardDto;
  @Described('Of a bank form: the bank account.')
  @Nested(FormBankAccountDto, ErrorCode.RequestValidationGenericError)
  bankAccount?: FormBankAccountDto;
  @Described('Of a bank form: the authorization that the page showed. Left out: the current one.')
  @Nested(ShownAuthorizationDto, ErrorCode.RequestValidationGenericError)
  authorization?: ShownAuthorizationDto;
  @Described('The billing address, as far as the form asks for it.')
  @Nested(BillingContactDto, ErrorCode.RequestValidationGenericError)
  billingContact?: BillingContactDto;
  @Described('E-mail address, if the form asks for it.', 'ann@example.com')
  @Email()
  email?: string;
  @Described('Phone number, if the form asks for it.', '+1 617 555 0100')
  @Text(40)
  phone?: string;
}

/** `docs/spec/three-d-secure.md#challenge`: what a form's page sends after a challenge. */
@RequestSchema('FormChallenge', 'What the customer entered besides the challenge.')
@Confidential()
export class FormChallengeDto {
  @Described('The CVV of the card again; left out: the card may be sent without one.', '123')
  @field({
    allowed: '3 or 4 digits',
    fits: (value) => typeof value === 'string' && /^\d{3,4}$/.test(value),
    schema: { type: 'string', pattern: '^[0-9]{3,4}$' },
  })
  cvv?: string;
}
