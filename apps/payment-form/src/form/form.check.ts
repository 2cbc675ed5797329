import isEmail from 'validator/lib/isEmail.js';
import isLuhnNumber from 'validator/lib/isLuhnNumber.js';
import { isPostalCode } from '../address/postal.code.js';
import { isRoutingNumber, ROUTING_DIGITS } from '../bank/routing.number.js';
import { brandOf } from '../card/card.brand.js';
import { isExpired, parseExpiry } from '../card/expiry.js';
import { digitsIn } from '../card/typed.text.js';
import type { Texts } from '../language/texts.js';
import type { FieldName, FormValues } from './form.values.js';

export const INSTITUTION_DIGITS = 3;
export const TRANSIT_DIGITS = 5;
const ACCOUNT_DIGITS_MIN = { VirtualAch: 4, VirtualEft: 5 } as const;
export const ACCOUNT_DIGITS_MAX = { VirtualAch: 17, VirtualEft: 12 } as const;

export type FieldError = Exclude<keyof Texts['error'], 'summary'>;
export type FieldErrors = Readonly<Partial<Record<FieldName, FieldError>>>;

interface Context {
  readonly values: FormValues;
  /** The service's time. */
  readonly now: Date;
}
type Check = (value: string, context: Context) => FieldError | undefined;

/** The service's rules (`docs/spec/hosted-form.md#submission`). What passes here may still be an error there. */
const CHECKS: Readonly<Record<FieldName, Check>> = {
  number: (value) => checkNumber(digitsIn(value)),
  expiry: (value, { now }) => checkExpiry(value, now),
  cvv: (value, { values }) => checkCvv(value, brandOf(digitsIn(values.number)).securityCodeLength),
  routingNumber: checkRouting,
  institutionNumber: (value) => {
    if (value === '') return 'institutionMissing';
    return value.length === INSTITUTION_DIGITS ? undefined : 'institutionIncomplete';
  },
  transitNumber: (value) => {
    if (value === '') return 'transitMissing';
    return value.length === TRANSIT_DIGITS ? undefined : 'transitIncomplete';
  },
  accountNumber: (value, { values }) => {
    if (value === '') return 'accountMissing';
    const { VirtualAch, VirtualEft } = ACCOUNT_DIGITS_MIN;
    return value.length < (values.transitNumber === '' ? VirtualAch : VirtualEft)
      ? 'accountIncomplete'
      : undefined;
  },
  accountType: (value) => (value === '' ? 'accountTypeMissing' : undefined),
  name: (value) => (value === '' ? 'nameMissing' : undefined),
  countryCode: (value) => (value === '' ? 'countryMissing' : undefined),
  address: (value) => (value === '' ? 'addressMissing' : undefined),
  address2: () => undefined,
  city: (value) => (value === '' ? 'cityMissing' : undefined),
  state: (value) => (value === '' ? 'stateMissing' : undefined),
  zipCode: (value, { values }) => checkZip(value, values.countryCode),
  email: (value) => {
    if (value === '') return 'emailMissing';
    return isEmail(value) ? undefined : 'emailInvalid';
  },
  phone: (value) => (value === '' ? 'phoneMissing' : undefined),
};

export function checkField(field: FieldName, context: Context): FieldError | undefined {
  return CHECKS[field](context.values[field].trim(), context);
}

export function checkForm(fields: readonly FieldName[], context: Context): FieldErrors {
  const errors: Partial<Record<FieldName, FieldError>> = {};
  for (const field of fields) {
    const error = checkField(field, context);
    if (error) errors[field] = error;
  }
  return errors;
}

function checkNumber(digits: string): FieldError | undefined {
  if (digits === '') return 'numberMissing';
  const { lengths } = brandOf(digits);
  if (digits.length < Math.min(...lengths)) return 'numberIncomplete';
  return lengths.includes(digits.length) && isLuhnNumber(digits) ? undefined : 'numberInvalid';
}

function checkRouting(value: string): FieldError | undefined {
  if (value === '') return 'routingMissing';
  if (value.length < ROUTING_DIGITS) return 'routingIncomplete';
  return isRoutingNumber(value) ? undefined : 'routingInvalid';
}

function checkExpiry(value: string, now: Date): FieldError | undefined {
  if (value === '') return 'expiryMissing';
  const expiry = parseExpiry(value);
  if (!expiry) return 'expiryInvalid';
  return isExpired(expiry, now) ? 'expiryPast' : undefined;
}

function checkCvv(value: string, length: number): FieldError | undefined {
  if (value === '') return 'cvvMissing';
  if (value.length === length) return undefined;
  return length === 4 ? 'cvvFour' : 'cvvThree';
}

function checkZip(value: string, countryCode: string): FieldError | undefined {
  if (value === '') return countryCode === 'US' ? 'zipMissingUs' : 'zipMissing';
  return isPostalCode(value, countryCode) ? undefined : zipForm(countryCode);
}

function zipForm(countryCode: string): FieldError {
  if (countryCode === 'US') return 'zipUs';
  return countryCode === 'CA' ? 'zipCa' : 'zipOther';
}

const BY_PATH: ReadonlyMap<string, FieldName> = new Map([
  ['card.number', 'number'],
  ['card.expDate', 'expiry'],
  ['card.cvv', 'cvv'],
  ['bankAccount.routingNumber', 'routingNumber'],
  ['bankAccount.institutionNumber', 'institutionNumber'],
  ['bankAccount.transitNumber', 'transitNumber'],
  ['bankAccount.accountNumber', 'accountNumber'],
  ['bankAccount.accountType', 'accountType'],
  ['bankAccount.name', 'name'],
  ['billingContact.name', 'name'],
  ['billingContact.countryCode', 'countryCode'],
  ['billingContact.address', 'address'],
  ['billingContact.address2', 'address2'],
  ['billingContact.city', 'city'],
  ['billingContact.state', 'state'],
  ['billingContact.zipCode', 'zipCode'],
  ['email', 'email'],
  ['phone', 'phone'],
]);

/** The errors that the service found, beside the fields that the form shows. */
export function serverErrors(
  details: readonly { readonly field?: string }[],
  fields: readonly FieldName[],
  { countryCode, number }: Pick<FormValues, 'countryCode' | 'number'>,
): FieldErrors {
  const isFour = brandOf(digitsIn(number)).securityCodeLength === 4;
  const texts: Readonly<Record<FieldName, FieldError>> = {
    number: 'numberInvalid',
    expiry: 'expiryInvalid',
    cvv: isFour ? 'cvvFour' : 'cvvThree',
    routingNumber: 'routingInvalid',
    institutionNumber: 'institutionInvalid',
    transitNumber: 'transitInvalid',
    accountNumber: 'accountInvalid',
    accountType: 'accountTypeMissing',
    name: 'nameInvalid',
    countryCode: 'countryMissing',
    address: 'addressInvalid',
    address2: 'addressInvalid',
    city: 'cityInvalid',
    state: 'stateMissing',
    zipCode: zipForm(countryCode),
    email: 'emailInvalid',
    phone: 'phoneInvalid',
  };
  const found = details.map(({ field }) => BY_PATH.get(field ?? ''));
  return Object.fromEntries(
    fields.filter((field) => found.includes(field)).map((field) => [field, texts[field]]),
  );
}
