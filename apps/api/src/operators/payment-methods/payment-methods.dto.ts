import { CURRENCIES, FORM_TYPES, OWN_PAYMENT_METHOD_TYPES } from '@tillstream/contracts';
import { FormConfigField, type FormConfigDto } from '../../hosted-form/opening/form-config.dto.js';
import { isOrigin } from '../../http/origin.js';
import { AtLeastOneField, CheckedBy } from '../../validation/body.check.js';
import { Flag, OneOf, Text } from '../../validation/field.decorators.js';
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

@RequestSchema('NewTerminal', 'A payment terminal.')
export class NewTerminalDto {
  @Described('A name for people.', 'Second till')
  @Text(100)
  description?: string;
  @Described('Its currency; required if the merchant takes both.', 'USD')
  @OneOf(CURRENCIES)
  currency?: 'USD' | 'CAD';
  @Described('Whether it is used if a request names none; one per merchant and type.', false)
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
  @Described('The settings of the form; a request can override them.')
  @FormConfigField()
  formConfig?: FormConfigDto;
  @Described('The pages that the form may notify when it ends.', ['https://shop.example'])
  @Origins()
  allowedOrigins?: string[];
}

/** A `type` has to be the one that the payment method has. */
@RequestSchema('PaymentMethodChange', 'The fields to change; at least one.')
@AtLeastOneField()
@CheckedBy(AllowedOrigins)
export class PaymentMethodChangeDto extends NewTerminalDto {
  @Described('Its current type, which can not change.', 'Virtual')
  @OneOf(OWN_PAYMENT_METHOD_TYPES)
  type?: (typeof OWN_PAYMENT_METHOD_TYPES)[number];
  @Described('The settings of the form; a request can override them.')
  @FormConfigField()
  formConfig?: FormConfigDto;
  @Described('The pages that the form may notify when it ends.', ['https://shop.example'])
  @Origins()
  allowedOrigins?: string[];
  @Described('Whether the service refuses it in new requests.', false)
  @Flag()
  disabled?: boolean;
}

function isShortOrigin(value: unknown): boolean {
  return typeof value === 'string' && value.length <= LONGEST_ORIGIN && isOrigin(value);
}
