import { Nested, Alphanumeric, Amount, OneOf, OwnReference, Text } from '../validation/field.decorators.js';
import { ErrorCode } from '@tillstream/contracts';
import { field } from '../validation/field.rule.js';
import { AmountBreakdownDto } from './amount-breakdown.dto.js';
import { SumsToAmount } from './breakdown.rule.js';

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
export class TokenPaymentDto {
  @Amount({ required: true }) amount!: number;
  @Nested(AmountBreakdownDto, ErrorCode.InvalidAmount)
  @SumsToAmount()
  amountBreakdown?: AmountBreakdownDto;
  @Text(35, { required: true }) paymentMethodId!: string;
  @Alphanumeric(100) invoiceNumber?: string;
  @Alphanumeric(100) orderNumber?: string;
  @OwnReference()
  @Text(100)
  referenceId?: string;
  @OneOf(INITIATORS) initiator?: (typeof INITIATORS)[number];
  @OnlyByMerchant()
  @OneOf(REASONS)
  reason?: (typeof REASONS)[number];
}
