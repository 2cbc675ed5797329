import { applyDecorators } from '@nestjs/common';
import { AccountHolderField, type AccountHolderDto } from '../../account-holders/account-holder.dto.js';
import { Described, RequestSchema } from '../../openapi/request.schema.js';
import { SAMPLE } from '../../openapi/samples.js';
import {
  Breakdown,
  InvoiceNumber,
  OrderNumber,
  ReferenceId,
  RequiredAmount,
  type AmountBreakdownDto,
} from '../../transactions/request.fields.js';
import { CheckedBy } from '../../validation/body.check.js';
import { Flag, Text } from '../../validation/field.decorators.js';
import { field } from '../../validation/field.rule.js';
import type { JsonSchema } from '../../validation/json.schema.js';
import { FormConfigField, RefundFormConfigDto, type FormConfigDto } from './form-config.dto.js';
import { ReturnUrl, SecureReturnUrl } from './return-url.js';

/* `docs/spec/hosted-form.md#request`: payments, refunds and tokens through a hosted form. */

const FormId = (): PropertyDecorator =>
  applyDecorators(
    Text(35),
    Described(
      'A form of `GET /payment-methods`. Left out: the default card form, else the only one. Required if there is neither.',
      SAMPLE.form,
    ),
  );

const CallsParent = (): PropertyDecorator =>
  applyDecorators(
    Flag(),
    Described('Whether the form posts messages to the page that embeds it.', true, false),
  );

const SETTINGS = 'The settings of this form. Left out: those of the payment method.';

const FormConfigOfRequest = (...given: Parameters<typeof FormConfigField>): PropertyDecorator =>
  applyDecorators(FormConfigField(...given), Described(SETTINGS));

@CheckedBy(SecureReturnUrl)
class VirtualPaymentDto {
  @RequiredAmount()
  amount!: number;
  @Breakdown()
  amountBreakdown?: AmountBreakdownDto;
  @FormId()
  paymentMethodId?: string;
  @InvoiceNumber()
  invoiceNumber?: string;
  @OrderNumber()
  orderNumber?: string;
  @ReferenceId()
  referenceId?: string;
  @ReturnUrl()
  returnUrl?: string;
  @CallsParent()
  useJavaScriptCallback?: boolean;
}

@RequestSchema('VirtualSaleRequest', 'A sale through a hosted form.')
export class VirtualSaleDto extends VirtualPaymentDto {
  @FormConfigOfRequest()
  formConfig?: FormConfigDto;
  @Described('The customer.')
  @AccountHolderField()
  accountHolder?: AccountHolderDto;
}

/** Every type that JSON has: @nestjs/swagger takes no list of types, and gives a field without one a type of its own. */
const ANYTHING: JsonSchema = {
  anyOf: [
    ...(['object', 'string', 'number', 'boolean', 'null'] as const).map((type) => ({ type })),
    { type: 'array', items: {} },
  ],
};

const Ignored = (): PropertyDecorator =>
  applyDecorators(
    field({ allowed: 'anything', fits: () => true, schema: ANYTHING }),
    Described('Ignored, and not validated.'),
  );

@RequestSchema('VirtualAuthRequest', 'An authorization through a hosted form.')
export class VirtualAuthDto extends VirtualPaymentDto {
  @FormConfigOfRequest()
  formConfig?: FormConfigDto;
  @Ignored()
  accountHolder?: unknown;
}

@RequestSchema('VirtualRefundRequest', 'A refund without an original transaction through a hosted form.')
export class VirtualRefundDto extends VirtualPaymentDto {
  @FormConfigOfRequest(RefundFormConfigDto)
  formConfig?: RefundFormConfigDto;
  @Described('The customer.')
  @AccountHolderField()
  accountHolder?: AccountHolderDto;
}

@RequestSchema('VirtualTokenRequest', 'A card or US bank account to be entered in a hosted form and stored.')
@CheckedBy(SecureReturnUrl)
export class VirtualTokenDto {
  @FormId()
  paymentMethodId?: string;
  @ReturnUrl()
  returnUrl?: string;
  @CallsParent()
  useJavaScriptCallback?: boolean;
  @FormConfigOfRequest()
  formConfig?: FormConfigDto;
  @Described('The account holder.')
  @AccountHolderField()
  accountHolder?: AccountHolderDto;
  @Described('A name for people.', 'Visa of Ann')
  @Text(100)
  description?: string;
  @ReferenceId()
  referenceId?: string;
}
