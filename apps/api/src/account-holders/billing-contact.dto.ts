import { ErrorCode } from '@tillstream/contracts';
import { COUNTRY_CODES } from '../validation/country.codes.js';
import { isText, RequiredWith, Text, textSchema } from '../validation/field.decorators.js';
import { field } from '../validation/field.rule.js';
import type { JsonSchema } from '../validation/json.schema.js';
import { Described, RequestSchema } from '../openapi/request.schema.js';

interface PostalCode {
  readonly allowed: string;
  readonly fits: (code: unknown) => boolean;
}

const matching = (form: RegExp) => (code: unknown) => typeof code === 'string' && form.test(code);

/** By country (`docs/spec/payment-methods.md#billing-contact`); where the country is wrong itself, its own error is enough. */
const POSTAL_CODES: ReadonlyMap<unknown, PostalCode> = new Map([
  ['US', { allowed: '12345 or 12345-6789 in the US', fits: matching(/^\d{5}(-\d{4})?$/) }],
  ['CA', { allowed: 'A1A 1A1 in Canada', fits: matching(/^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i) }],
]);
const ANY: PostalCode = { allowed: '1 to 10 characters', fits: (code) => isText(code, 10) };

/* The rules of codes and countries, for the description of the API. */
const zipIn = (country: string, pattern: string): JsonSchema => ({
  if: { required: ['countryCode'], properties: { countryCode: { const: country } } },
  then: { properties: { zipCode: { pattern } } },
});
const POSTAL_CODE_SCHEMA: JsonSchema = {
  allOf: [zipIn('US', '^[0-9]{5}(-[0-9]{4})?$'), zipIn('CA', '^[A-Za-z][0-9][A-Za-z] ?[0-9][A-Za-z][0-9]$')],
};
const TOGETHER: JsonSchema = {
  dependentRequired: { countryCode: ['zipCode'], zipCode: ['countryCode'] },
};

/** Put on both: one of the two alone says too little (2103), and the error names the one that is missing. */
const NotWithout = (other: string): PropertyDecorator =>
  RequiredWith(other, {
    code: ErrorCode.MissingCountryCodeOrZipCode,
    allowed: 'countryCode and zipCode together, or neither',
    message: '$property is missing: countryCode and zipCode come together.',
    objectSchema: TOGETHER,
  });

const CountryCode = (): PropertyDecorator =>
  field({
    code: ErrorCode.InvalidCountryCode,
    allowed: 'a country code of ISO 3166-1 alpha-2 in capitals, such as US',
    fits: (value) => typeof value === 'string' && COUNTRY_CODES.has(value),
    schema: { type: 'string', enum: [...COUNTRY_CODES] },
  });

const ZipCode = (): PropertyDecorator =>
  field({
    code: ErrorCode.InvalidZipCode,
    allowed: `${[...POSTAL_CODES.values()].map(({ allowed }) => allowed).join(', ')}, ${ANY.allowed} elsewhere`,
    fits: (value, { countryCode }) => (POSTAL_CODES.get(countryCode) ?? ANY).fits(value),
    schema: textSchema(10),
    objectSchema: POSTAL_CODE_SCHEMA,
  });

/** `docs/spec/payment-methods.md#billing-contact`. Every part may be left out, but country and ZIP code come together. */
@RequestSchema('BillingContact', 'A billing address. Country and ZIP code come together.')
export class BillingContactDto {
  @Described('Name of the person or company.', 'Ann Maple')
  @Text(100)
  name?: string;
  @Described('ISO 3166-1 alpha-2, in capitals.', 'US')
  @CountryCode()
  @NotWithout('zipCode')
  countryCode?: string;
  @Described(
    '`12345` or `12345-6789` in the US, `A1A 1A1` in Canada, 1 to 10 characters in other countries.',
    '02139',
  )
  @ZipCode()
  @NotWithout('countryCode')
  zipCode?: string;
  @Described('Street and number.', '12 Main Street')
  @Text(100)
  address?: string;
  @Described('State or province.', 'MA')
  @Text(100)
  state?: string;
  @Described('City.', 'Cambridge')
  @Text(100)
  city?: string;
  @Described('The second line of the address.', 'Apartment 4')
  @Text(100)
  address2?: string;
}
