import { Amount, ExactlyOneWith, Text } from '../validation/field.decorators.js';
import {
  Breakdown,
  InvoiceNumber,
  OrderNumber,
  ReferenceId,
  type AmountBreakdownDto,
} from './request.fields.js';
import { Described, DescribedHere, RequestSchema } from '../openapi/request.schema.js';
import { SAMPLE } from '../openapi/samples.js';

const ORIGINAL_ID =
  'The transaction that this one follows, by its id. Exactly one of the two identifiers is sent.';

/** `docs/spec/payments.md#original-transaction`, `docs/spec/payments.md#requests`. */
@RequestSchema('VoidRequest', 'What is cancelled.')
export class VoidRequestDto {
  @Described(ORIGINAL_ID, SAMPLE.sale)
  @ExactlyOneWith('originalTransactionId', 'originalReferenceId')
  @Text(30)
  originalTransactionId?: string;
  @Described(
    'The same by its reference id. It must fit one transaction only, else `originalTransactionId` is asked for.',
    'order-1001',
  )
  @Text(100)
  originalReferenceId?: string;
  @Described(
    'A part of it. Left out: all of it, or of an authorization what is open; of a sale or capture required after a ' +
      'partial refund or void.',
    250,
  )
  @Amount()
  amount?: number;
  @ReferenceId()
  referenceId?: string;
}

@RequestSchema('RefundRequest', 'What of a sale or capture is given back.')
@DescribedHere<RefundRequestDto>(
  'amount',
  'At most what is left of the original. Left out: all of it; required after a partial refund or void.',
  250,
)
export class RefundRequestDto extends VoidRequestDto {
  @InvoiceNumber()
  invoiceNumber?: string;
  @OrderNumber()
  orderNumber?: string;
}

@RequestSchema('CaptureRequest', 'What of an authorization is billed.')
@DescribedHere<CaptureRequestDto>('originalTransactionId', ORIGINAL_ID, SAMPLE.authorization)
@DescribedHere<CaptureRequestDto>(
  'amount',
  'At most what is open of the authorization. Left out: all of it; required after a partial capture or void.',
  250,
)
export class CaptureRequestDto extends RefundRequestDto {
  @Breakdown()
  amountBreakdown?: AmountBreakdownDto;
}
