import { Described, DescribedHere, RequestSchema } from '../openapi/request.schema.js';
import { SAMPLE } from '../openapi/samples.js';
import { Alphanumeric, Amount, ExactlyOneWith, Text } from '../validation/field.decorators.js';
import {
  Breakdown,
  InvoiceNumber,
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

const ORIGINAL_ID =
  'The id of the transaction that this one follows. Send exactly one of the two identifiers.';

/** `docs/spec/payments.md#original-transaction`, `docs/spec/payments.md#requests`. */
@RequestSchema('VoidRequest', 'The transaction to void.')
export class VoidRequestDto {
  @Described(ORIGINAL_ID, SAMPLE.sale)
  @ExactlyOneWith('originalTransactionId', 'originalReferenceId')
  @Text(30)
  originalTransactionId?: string;
  @Described(
    'The reference id of that transaction. If several transactions have it, `originalTransactionId` is required.',
    'order-1001',
  )
  @Text(100)
  originalReferenceId?: string;
  @Described(
    'The amount to void. Left out: all of it, or the open part of an authorization. Required for a sale or capture after ' +
      'a partial refund or void.',
    250,
  )
  @Amount()
  amount?: number;
  @ReferenceId()
  referenceId?: string;
}

@RequestSchema('RefundRequest', 'The sale or capture to refund.')
@DescribedHere<RefundRequestDto>(
  'amount',
  'At most the amount that is left of the original. Left out: all of it. Required after a partial refund or void.',
  250,
)
export class RefundRequestDto extends VoidRequestDto {
  @InvoiceNumber()
  invoiceNumber?: string;
  @OrderNumber()
  orderNumber?: string;
}

@RequestSchema('CaptureRequest', 'The authorization to capture.')
@DescribedHere<CaptureRequestDto>('originalTransactionId', ORIGINAL_ID, SAMPLE.authorization)
@DescribedHere<CaptureRequestDto>(
  'amount',
  'At most the open part of the authorization. Left out: all of it. Required after a partial capture or void.',
  250,
)
export class CaptureRequestDto extends RefundRequestDto {
  @Breakdown()
  amountBreakdown?: AmountBreakdownDto;
}
