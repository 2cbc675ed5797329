import { Described, RequestSchema } from '../openapi/request.schema.js';
import { SAMPLE } from '../openapi/samples.js';
import { OneOf, Text } from '../validation/field.decorators.js';
import { field } from '../validation/field.rule.js';
import {
  Breakdown,
  InvoiceNumber,
  OrderNumber,
  ReferenceId,
  RequiredAmount,
  type AmountBreakdownDto,
} from './request.fields.js';

const INITIATORS = ['Customer', 'Merchant'] as const;
const REASONS = ['Recurring', 'Installment', 'Unscheduled'] as const;

/** A customer needs no reason. Where the initiator is wrong itself, its own error is enough. */
const OnlyByMerchant = (): PropertyDecorator =>
  field({
    allowed: 'a reason only with initiator Merchant',
    message: '$property is only for payments that the merchant initiates.',
    details: (_reason, { initiator }) =>
      `received a reason with initiator ${String(initiator ?? 'left out')}, allowed with Merchant only`,
    fits: (_reason, { initiator }) => initiator !== undefined && initiator !== 'Customer',
    objectSchema: {
      dependentSchemas: {
        reason: { required: ['initiator'], properties: { initiator: { const: 'Merchant' } } },
      },
    },
  });

/** `docs/spec/payments.md#token-payments`: a sale or authorization with a stored card or bank account. */
@RequestSchema('TokenPaymentRequest', 'A payment with a stored card or bank account.')
export class TokenPaymentDto {
  @RequiredAmount()
  amount!: number;
  @Breakdown()
  amountBreakdown?: AmountBreakdownDto;
  @Described('The stored card or bank account.', SAMPLE.token)
  @Text(35, { required: true })
  paymentMethodId!: string;
  @InvoiceNumber()
  invoiceNumber?: string;
  @OrderNumber()
  orderNumber?: string;
  @ReferenceId()
  referenceId?: string;
  @Described(
    'Who initiates the payment: the customer now, or the merchant by an earlier agreement. With `Merchant` the service ' +
      'also sends the network id of the first transaction.',
    'Merchant',
    'Customer',
  )
  @OneOf(INITIATORS)
  initiator?: (typeof INITIATORS)[number];
  @Described('The kind of the merchant’s payment; only with `initiator: Merchant`.', 'Recurring')
  @OnlyByMerchant()
  @OneOf(REASONS)
  reason?: (typeof REASONS)[number];
}
