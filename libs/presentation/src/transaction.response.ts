import type { PaymentMethodDetails, TransactionResponse } from '@tillstream/contracts';
import type { Progress, ResponseCode, RecordedResponse } from '@tillstream/domain';
import { breakdownShape } from './amount.breakdown.js';

/** The part of an operation that its public status needs, for payments and stored cards. */
export interface PresentedOperation {
  readonly progress: Progress;
  /** Newest first. */
  readonly responses: readonly RecordedResponse[];
  /** A customer at a hosted form makes, or made, the request. */
  readonly byForm: boolean;
  /** The payment method of that response; without a response, of the operation. */
  paymentMethodOf(response?: RecordedResponse): PaymentMethodDetails;
}

/** The response of a processor, terminal or bank to one attempt. */
export function recordedResponse(
  operation: PresentedOperation,
  response: RecordedResponse,
): TransactionResponse {
  const { outcome, amountApproved, amountBreakdown } = response;
  const { responseCode, authCode, hostText, avsResult, cvvResult, receiptLines } = outcome;
  const paymentMethod = operation.paymentMethodOf(response);
  const cardType = outcome.card?.cardType ?? paymentMethod.cardType;
  const accountType = presentedAccountType(operation, outcome.accountType ?? paymentMethod.accountType);
  return {
    responseCode,
    amountApproved,
    ...(amountBreakdown &&
      amountApproved > 0 && { approvedAmountBreakdown: breakdownShape(amountBreakdown) }),
    ...(authCode !== undefined && { authCode }),
    ...(hostText !== undefined && { hostResponseText: hostText }),
    paymentMethod,
    ...(cardType !== undefined && { cardType }),
    ...(accountType !== undefined && { accountType }),
    ...(avsResult && { avsResult }),
    ...(cvvResult && { cvvResult }),
    receipt: { lines: [...receiptLines] },
  };
}

/** A response of the service itself, if no processor answered. */
export function serviceResponse(
  operation: PresentedOperation,
  responseCode: ResponseCode,
  hostResponseText: string,
): TransactionResponse {
  const paymentMethod = operation.paymentMethodOf();
  return {
    responseCode,
    amountApproved: 0,
    hostResponseText,
    paymentMethod,
    ...(paymentMethod.cardType !== undefined && { cardType: paymentMethod.cardType }),
    receipt: { lines: [] },
  };
}

/** Lower case in the immediate response of a hosted bank form (`docs/spec/bank-payments.md#outcome`). */
function presentedAccountType(
  { progress, byForm }: PresentedOperation,
  accountType: string | undefined,
): string | undefined {
  return progress.status === 'Processing' && byForm ? accountType?.toLowerCase() : accountType;
}
