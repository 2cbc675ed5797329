import { ErrorCode } from '@tillstream/contracts';
import { Alphanumeric, Amount, Nested, OwnReference, Text } from '../validation/field.decorators.js';
import { AmountBreakdownDto } from './amount-breakdown.dto.js';
import { SumsToAmount } from './breakdown.rule.js';

/** `docs/spec/terminals.md#request`: sale, authorization and unreferenced refund at a terminal. */
export class PhysicalRequestDto {
  @Amount({ required: true }) amount!: number;
  @Nested(AmountBreakdownDto, ErrorCode.InvalidAmount)
  @SumsToAmount()
  amountBreakdown?: AmountBreakdownDto;
  @Text(35) paymentMethodId?: string;
  @Alphanumeric(20) invoiceNumber?: string;
  @Alphanumeric(100) orderNumber?: string;
  @OwnReference()
  @Text(100)
  referenceId?: string;
}
