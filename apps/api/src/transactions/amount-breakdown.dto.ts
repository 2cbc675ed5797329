import { AmountPart } from '../validation/field.decorators.js';
import { Described, RequestSchema } from '../openapi/request.schema.js';

/** `docs/spec/payments.md#amount-breakdown`: parts for reporting, which sum to the amount. */
@RequestSchema(
  'AmountBreakdown',
  'The parts of an amount, for reports. They must sum to `amount` and are not added to it.',
)
export class AmountBreakdownDto {
  @Described('Goods and services.', 1100)
  @AmountPart()
  amountGoodsAndServices?: number;
  @Described('Tax.', 100)
  @AmountPart()
  tax?: number;
  @Described('Cash given out.', 0)
  @AmountPart()
  cashback?: number;
  @Described('Tip.', 50)
  @AmountPart()
  tip?: number;
}
