import {
  BILLING_CAPTURE_LEVELS,
  CURRENCIES,
  ErrorCode,
  FORM_TYPES,
  OWN_PAYMENT_METHOD_TYPES,
  PII_FIELDS,
  type FormConfig,
} from '@tillstream/contracts';
import { isOrigin } from '../../http/origin.js';
import { AtLeastOneField, CheckedBy } from '../../validation/body.check.js';
import { Flag, ListOf, Nested, OneOf, Text } from '../../validation/field.decorators.js';
import { field } from '../../validation/field.rule.js';
import { AllowedOrigins, FormSettings } from './payment-methods.checks.js';
import { Described, RequestSchema } from '../../openapi/request.schema.js';

const MAX_ORIGINS = 20;
const LONGEST_ORIGIN = 300;

type FormType = (typeof FORM_TYPES)[number];

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
class FormDefaultsDto {
  @Described('`Minimal` asks for country and ZIP code, cards only; `Full` for the whole address.', 'Full')
  @OneOf(BILLING_CAPTURE_LEVELS, { required: true })
  billingInfoCaptureLevel!: NonNullable<FormConfig['billingInfoCaptureLevel']>;
  @Described('Whether cardholders are authenticated; cards only.', true)
  @Flag()
  enable3DSecure?: boolean;
  @Described('What else is asked for.', ['Email'])
  @ListOf(PII_FIELDS, `a list of ${PII_FIELDS.join(' and ')}, each at most once; empty asks for neither`)
  piiFields?: NonNullable<FormConfig['piiFields']>;
}

const FormDefaults = (): PropertyDecorator =>
  Nested(FormDefaultsDto, ErrorCode.RequestValidationGenericError);

@RequestSchema('NewTerminal', 'A payment terminal.')
export class NewTerminalDto {
  @Described('A name for people.', 'Second till')
  @Text(100)
  description?: string;
  @Described('What it takes; required where the merchant has both currencies.', 'USD')
  @OneOf(CURRENCIES)
  currency?: 'USD' | 'CAD';
  @Described('Whether it is meant where a request names none; one per merchant and type.', false)
  @Flag()
  isDefault?: boolean;
}

@RequestSchema('NewForm', 'A hosted form.')
@CheckedBy(AllowedOrigins)
@CheckedBy(FormSettings)
export class NewFormDto extends NewTerminalDto {
  @Described('`Virtual` takes cards, `VirtualAch` US and `VirtualEft` Canadian bank accounts.', 'Virtual')
  @OneOf(FORM_TYPES, { required: true })
  type!: FormType;
  @Described('What counts where a request does not say it.')
  @FormDefaults()
  formConfig?: FormDefaultsDto;
  @Described('The pages that the form may notify when it ends.', ['https://shop.example'])
  @Origins()
  allowedOrigins?: string[];
}

/** A `type` has to be the one that the payment method has. */
@RequestSchema('PaymentMethodChange', 'What changes; at least one field.')
@AtLeastOneField()
@CheckedBy(AllowedOrigins)
export class PaymentMethodChangeDto extends NewTerminalDto {
  @Described('The one that it is: it can’t change.', 'Virtual')
  @OneOf(OWN_PAYMENT_METHOD_TYPES)
  type?: (typeof OWN_PAYMENT_METHOD_TYPES)[number];
  @Described('What counts where a request does not say it.')
  @FormDefaults()
  formConfig?: FormDefaultsDto;
  @Described('The pages that the form may notify when it ends.', ['https://shop.example'])
  @Origins()
  allowedOrigins?: string[];
  @Described('Whether it is refused in new requests.', false)
  @Flag()
  disabled?: boolean;
}

function isShortOrigin(value: unknown): boolean {
  return typeof value === 'string' && value.length <= LONGEST_ORIGIN && isOrigin(value);
}
