import { ErrorCode } from '@tillstream/contracts';
import { Alphanumeric, Amount, Nested, OwnReference, Text } from '../validation/field.decorators.js';
import { AmountBreakdownDto } from './amount-breakdown.dto.js';
import { SumsToAmount } from './breakdown.rule.js';
import * as text from '../openapi/field.texts.js';
import { Described, RequestSchema } from '../openapi/request.schema.js';

/** `docs/spec/terminals.md#request`: sale, authorization and unreferenced refund at a terminal. */
@RequestSchema('CardPresentRequest', 'A payment or refund at a terminal.')
export class PhysicalRequestDto {
  @Described(...text.AMOUNT)
  @Amount({ required: true })
  amount!: number;
  @Described(...text.BREAKDOWN)
  @Nested(AmountBreakdownDto, ErrorCode.InvalidAmount)
  @SumsToAmount()
  amountBreakdown?: AmountBreakdownDto;
  @Described(...text.TERMINAL_ID)
  @Text(35)
  paymentMethodId?: string;
  @Described('Given back in the answer, and printed on the receipt.', 'A1001')
  @Alphanumeric(20)
  invoiceNumber?: string;
  @Described(...text.ORDER_NUMBER)
  @Alphanumeric(100)
  orderNumber?: string;
  @Described(...text.REFERENCE_ID)
  @OwnReference()
  @Text(100)
  referenceId?: string;
}
