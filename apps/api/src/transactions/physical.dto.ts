import { Described, RequestSchema } from '../openapi/request.schema.js';
import { Alphanumeric } from '../validation/field.decorators.js';
import {
  Breakdown,
  OrderNumber,
  ReferenceId,
  RequiredAmount,
  TerminalId,
  type AmountBreakdownDto,
} from './request.fields.js';

/** `docs/spec/terminals.md#request`: sale, authorization and unreferenced refund at a terminal. */
@RequestSchema('CardPresentRequest', 'A payment or refund at a terminal.')
export class PhysicalDto {
  @RequiredAmount()
  amount!: number;
  @Breakdown()
  amountBreakdown?: AmountBreakdownDto;
  @TerminalId()
  paymentMethodId?: string;
  @Described('Returned in the response, and printed on the receipt.', 'A1001')
  @Alphanumeric(20)
  invoiceNumber?: string;
  @OrderNumber()
  orderNumber?: string;
  @ReferenceId()
  referenceId?: string;
}
