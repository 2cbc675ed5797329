import { AmountPart } from '../validation/field.decorators.js';

/** `docs/spec/payments.md#amount-breakdown`: parts for reporting, which sum to the amount. */
export class AmountBreakdownDto {
  @AmountPart() amountGoodsAndServices?: number;
  @AmountPart() tax?: number;
  @AmountPart() cashback?: number;
  @AmountPart() tip?: number;
}
