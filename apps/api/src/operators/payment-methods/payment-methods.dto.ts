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

export const MAX_ORIGINS = 20;
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
export class FormDefaultsDto {
  @OneOf(BILLING_CAPTURE_LEVELS, { required: true })
  billingInfoCaptureLevel!: NonNullable<FormConfig['billingInfoCaptureLevel']>;
  @Flag() enable3DSecure?: boolean;
  @ListOf(PII_FIELDS, `a list of ${PII_FIELDS.join(' and ')}, each at most once; empty asks for neither`)
  piiFields?: NonNullable<FormConfig['piiFields']>;
}

const FormDefaults = (): PropertyDecorator =>
  Nested(FormDefaultsDto, ErrorCode.RequestValidationGenericError);

export class NewTerminalDto {
  @Text(100) description?: string;
  @OneOf(CURRENCIES) currency?: 'USD' | 'CAD';
  @Flag() isDefault?: boolean;
}

@CheckedBy(AllowedOrigins)
@CheckedBy(FormSettings)
export class NewFormDto extends NewTerminalDto {
  @OneOf(FORM_TYPES, { required: true }) type!: FormType;
  @FormDefaults() formConfig?: FormDefaultsDto;
  @Origins() allowedOrigins?: string[];
}

/** A `type` has to be the one that the payment method has. */
@AtLeastOneField()
@CheckedBy(AllowedOrigins)
export class PaymentMethodChangeDto extends NewTerminalDto {
  @OneOf(OWN_PAYMENT_METHOD_TYPES) type?: (typeof OWN_PAYMENT_METHOD_TYPES)[number];
  @FormDefaults() formConfig?: FormDefaultsDto;
  @Origins() allowedOrigins?: string[];
  @Flag() disabled?: boolean;
}

function isShortOrigin(value: unknown): boolean {
  return typeof value === 'string' && value.length <= LONGEST_ORIGIN && isOrigin(value);
}
