import { Described, RequestSchema } from '../../openapi/request.schema.js';
import { Form, OneOf, Text } from '../../validation/field.decorators.js';
import { field } from '../../validation/field.rule.js';

const ROUTING_NUMBER = /^\d{9}$/;
const WEIGHTS = [3, 7, 1];

/** The check digit of the American Bankers Association: the weighted sum is a multiple of ten. */
function hasCheckDigit(routingNumber: string): boolean {
  const sum = [...routingNumber].reduce(
    (total, digit, place) => total + Number(digit) * (WEIGHTS[place % 3] ?? 0),
    0,
  );
  return sum % 10 === 0;
}

const RoutingNumber = (): PropertyDecorator =>
  field({
    allowed: 'a routing number: 9 digits, the last of them the check digit',
    fits: (value) => typeof value === 'string' && ROUTING_NUMBER.test(value) && hasCheckDigit(value),
    schema: { type: 'string', pattern: ROUTING_NUMBER.source },
  });

const AccountType = (): PropertyDecorator => OneOf(['Checking', 'Savings']);

/**
 * `docs/spec/hosted-form.md#submission`: the fields of ACH and of EFT accounts. Which of them the form takes is checked in
 * `bank-account.check.ts`.
 */
@RequestSchema('FormBankAccount', 'The bank account that the customer entered.')
export class FormBankAccountDto {
  @Described('ACH: 9 digits with a check digit.', '110000000')
  @RoutingNumber()
  routingNumber?: string;
  @Described('EFT: 3 digits.', '000')
  @Form(/^\d{3}$/, '3 digits')
  institutionNumber?: string;
  @Described('EFT: 5 digits.', '11000')
  @Form(/^\d{5}$/, '5 digits')
  transitNumber?: string;
  @Described('ACH: 4 to 17 digits. EFT: 5 to 12 digits.', '000123456789')
  @Form(/^\d{4,17}$/, '4 to 17 digits, 5 to 12 of an EFT account')
  accountNumber?: string;
  @Described('ACH.', 'Checking')
  @AccountType()
  accountType?: 'Checking' | 'Savings';
  @Described('The holder of the account.', 'Ann Maple')
  @Text(100)
  name?: string;
}

@RequestSchema('ShownAuthorization', 'The authorization that the page showed.')
export class ShownAuthorizationDto {
  @Described('The version of the text.', '2026-11')
  @Text(20, { required: true })
  version!: string;
  @Described('The language of the text.', 'en')
  @OneOf(['en', 'fr'], { required: true })
  language!: 'en' | 'fr';
}
