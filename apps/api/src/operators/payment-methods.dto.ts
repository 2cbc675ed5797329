import {
  BILLING_CAPTURE_LEVELS,
  CURRENCIES,
  ErrorCode,
  FORM_TYPES,
  OWN_PAYMENT_METHOD_TYPES,
  PII_FIELDS,
  type FormConfig,
} from '@tillstream/contracts';
import { isOrigin } from '../http/origin.js';
import { Described, RequestSchema } from '../openapi/request.schema.js';
import { Flag, Nested, OneOf, Text } from '../validation/field.decorators.js';
import { field } from '../validation/field.rule.js';

export const MAX_ORIGINS = 20;
const LONGEST_ORIGIN = 300;

type FormType = (typeof FORM_TYPES)[number];

const RequiredOneOf = (values: readonly string[]): PropertyDecorator =>
  field({
    allowed: `one of ${values.join(', ')}`,
    required: true,
    fits: (value) => typeof value === 'string' && values.includes(value),
    schema: { type: 'string', enum: values },
  });

const PiiFields = (): PropertyDecorator =>
  field({
    allowed: `a list of ${PII_FIELDS.join(' and ')}, each at most once; empty asks for neither`,
    fits: (value) =>
      Array.isArray(value) &&
      value.every((one: unknown) => PII_FIELDS.some((known) => known === one)) &&
      new Set(value).size === value.length,
    schema: {
      type: 'array',
      items: { type: 'string', enum: PII_FIELDS },
      maxItems: PII_FIELDS.length,
      uniqueItems: true,
    },
  });

const Origins = (): PropertyDecorator =>
  field({
    allowed: `up to ${MAX_ORIGINS} different origins such as https://shop.example, without a path`,
    fits: (value) =>
      Array.isArray(value) &&
      value.length <= MAX_ORIGINS &&
      value.every(isShortOrigin) &&
      new Set(value).size === value.length,
    schema: {
      type: 'array',
      items: { type: 'string', format: 'uri', maxLength: LONGEST_ORIGIN },
      maxItems: MAX_ORIGINS,
      uniqueItems: true,
    },
  });

/** `docs/spec/hosted-form.md#form-settings`. Which of it a kind of form can have is checked beside it. */
@RequestSchema('FormConfig', 'What a hosted form shows and asks for where a request does not say it.')
export class FormDefaultsDto {
  @Described('`Minimal` asks for country and ZIP code, cards only; `Full` for the whole address.', 'Full')
  @RequiredOneOf(BILLING_CAPTURE_LEVELS)
  billingInfoCaptureLevel!: NonNullable<FormConfig['billingInfoCaptureLevel']>;
  @Described('Whether cardholders are authenticated; cards only.', true) @Flag() enable3DSecure?: boolean;
  @Described('What else is asked for.', ['Email'])
  @PiiFields()
  piiFields?: NonNullable<FormConfig['piiFields']>;
}

const FormDefaults = (): PropertyDecorator =>
  Nested(FormDefaultsDto, ErrorCode.RequestValidationGenericError);

@RequestSchema('NewTerminal', 'A payment terminal.')
export class NewTerminalDto {
  @Described('A name for people.', 'Second till') @Text(100) description?: string;
  @Described('What it takes; required where the merchant has both currencies.', 'USD')
  @OneOf(CURRENCIES)
  currency?: 'USD' | 'CAD';
  @Described('Whether it is meant where a request names none; one per merchant and type.', false)
  @Flag()
  isDefault?: boolean;
}

@RequestSchema('NewForm', 'A hosted form.')
export class NewFormDto extends NewTerminalDto {
  @Described('`Virtual` takes cards, `VirtualAch` US and `VirtualEft` Canadian bank accounts.', 'Virtual')
  @RequiredOneOf(FORM_TYPES)
  type!: FormType;
  @Described('What counts where a request does not say it.') @FormDefaults() formConfig?: FormDefaultsDto;
  @Described('Pages that the form may tell of its end.', ['https://shop.example'])
  @Origins()
  allowedOrigins?: string[];
}

/** At least one of them. A `type` has to be the one that it is. */
@RequestSchema('PaymentMethodChange', 'What changes; at least one field.', { atLeastOne: true })
export class PaymentMethodChangeDto extends NewTerminalDto {
  @Described('The one that it is: it can’t change.', 'Virtual')
  @OneOf(OWN_PAYMENT_METHOD_TYPES)
  type?: (typeof OWN_PAYMENT_METHOD_TYPES)[number];
  @Described('What counts where a request does not say it.') @FormDefaults() formConfig?: FormDefaultsDto;
  @Described('Pages that the form may tell of its end.', ['https://shop.example'])
  @Origins()
  allowedOrigins?: string[];
  @Described('Whether it is refused in new requests.', false) @Flag() disabled?: boolean;
}

function isShortOrigin(value: unknown): boolean {
  return typeof value === 'string' && value.length <= LONGEST_ORIGIN && isOrigin(value);
}
