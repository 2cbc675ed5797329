import { ErrorCode } from '@tillstream/contracts';
import {
  Alphanumeric,
  Amount,
  ExactlyOneWith,
  Nested,
  OwnReference,
  Text,
} from '../validation/field.decorators.js';
import { AmountBreakdownDto } from './amount-breakdown.dto.js';
import { SumsToAmount } from './breakdown.rule.js';

/** `docs/spec/payments.md#original-transaction`, `docs/spec/payments.md#requests`. */
export class VoidRequestDto {
  @ExactlyOneWith('originalTransactionId', 'originalReferenceId')
  @Text(30)
  originalTransactionId?: string;
  @Text(100) originalReferenceId?: string;
  @Amount() amount?: number;
  @OwnReference()
  @Text(100)
  referenceId?: string;
}

export class RefundRequestDto extends VoidRequestDto {
  @Alphanumeric(100) invoiceNumber?: string;
  @Alphanumeric(100) orderNumber?: string;
}

export class CaptureRequestDto extends RefundRequestDto {
  @Nested(AmountBreakdownDto, ErrorCode.InvalidAmount)
  @SumsToAmount()
  amountBreakdown?: AmountBreakdownDto;
}
