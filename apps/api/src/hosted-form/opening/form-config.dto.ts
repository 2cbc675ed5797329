import { BILLING_CAPTURE_LEVELS, ErrorCode, PII_FIELDS, type FormConfig } from '@tillstream/contracts';
import { Described, DescribedHere, RequestSchema } from '../../openapi/request.schema.js';
import { Flag, ListOf, Nested, OneOf } from '../../validation/field.decorators.js';
import { field } from '../../validation/field.rule.js';

/**
 * `docs/spec/hosted-form.md#form-settings`. Which settings a type of form can have is not decided here, because it depends on
 * the payment method.
 */
@RequestSchema('FormConfig', 'The settings of a hosted form; a request can override them.')
export class FormConfigDto {
  @Described(
    '`Minimal` asks for country and ZIP code, cards only; `Full` asks for the whole address.',
    'Full',
  )
  @OneOf(BILLING_CAPTURE_LEVELS, { required: true })
  billingInfoCaptureLevel!: NonNullable<FormConfig['billingInfoCaptureLevel']>;
  @Described('Whether the form authenticates cardholders; cards only.', true)
  @Flag()
  enable3DSecure?: boolean;
  @Described('Other fields that the form asks for.', ['Email'])
  @ListOf(PII_FIELDS, `a list of ${PII_FIELDS.join(' and ')}, each at most once; empty asks for neither`)
  piiFields?: NonNullable<FormConfig['piiFields']>;
}

const NotTrue =
  (name: string): ClassDecorator =>
  ({ prototype }) =>
    field({
      allowed: 'false: a refund authenticates no cardholder',
      fits: (value) => value === false,
      schema: { type: 'boolean', const: false },
    })(prototype as object, name);

/** Of an unreferenced refund: a refund has no cardholder to authenticate. */
@RequestSchema('FormConfigOfRefund', 'The settings of the form of a refund.')
@DescribedHere<RefundFormConfigDto>('enable3DSecure', 'A refund authenticates no cardholder.', false)
@NotTrue('enable3DSecure')
export class RefundFormConfigDto extends FormConfigDto {}

export const FormConfigField = (dto: typeof FormConfigDto = FormConfigDto): PropertyDecorator =>
  Nested(dto, ErrorCode.RequestValidationGenericError);
