import type { PaymentMethodDetails, TransactionResponse } from '@tillstream/contracts';
import type { Progress, ResponseCode, RecordedResponse } from '@tillstream/domain';
import { breakdownShape } from './amount.breakdown.js';

/** What an operation's outcome is made of, whether a payment's or a stored card's. */
export interface PresentedOperation {
  readonly progress: Progress;
  /** Newest first. */
  readonly responses: readonly RecordedResponse[];
  /** It waits for, or was begun by, a customer at a hosted form. */
  readonly byForm: boolean;
  /** The payment method as that response shows it; without one, as the operation does while nobody answered. */
  paymentMethodOf(response?: RecordedResponse): PaymentMethodDetails;
}

/** What a processor, terminal or bank said of one try. */
export function recordedResponse(
  answered: PresentedOperation,
  response: RecordedResponse,
): TransactionResponse {
  const { outcome, amountApproved, amountBreakdown } = response;
  const { responseCode, authCode, hostText, avsResult, cvvResult, receiptLines } = outcome;
  const paymentMethod = answered.paymentMethodOf(response);
  const cardType = outcome.card?.cardType ?? paymentMethod.cardType;
  const accountType = presentedAccountType(answered, outcome.accountType ?? paymentMethod.accountType);
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

/** Where nobody else said anything: the service's own words, and no money. */
export function serviceResponse(
  answered: PresentedOperation,
  responseCode: ResponseCode,
  hostResponseText: string,
): TransactionResponse {
  const paymentMethod = answered.paymentMethodOf();
  return {
    responseCode,
    amountApproved: 0,
    hostResponseText,
    paymentMethod,
    ...(paymentMethod.cardType !== undefined && { cardType: paymentMethod.cardType }),
    receipt: { lines: [] },
  };
}

/** `docs/spec/bank-payments.md#outcome`: the immediate answer of a hosted bank form has it in lower case. */
function presentedAccountType(
  { progress, byForm }: PresentedOperation,
  accountType: string | undefined,
): string | undefined {
  return progress.status === 'Processing' && byForm ? accountType?.toLowerCase() : accountType;
}
