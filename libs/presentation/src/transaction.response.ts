import type { TransactionResponse } from '@tillstream/contracts';
import type { Operation, Payment, ResponseCode, TryResponse } from '@tillstream/domain';
import { breakdownShape } from './amount.breakdown.js';
import { paymentMethodDetails } from './payment-method.details.js';

/** What a processor, terminal or bank said of one try. */
export function heardResponse(
  payment: Payment,
  operation: Operation,
  { outcome, amountApproved, amountBreakdown }: TryResponse,
): TransactionResponse {
  const { responseCode, authCode, hostText, avsResult, cvvResult, receiptLines } = outcome;
  const paymentMethod = paymentMethodDetails(payment, outcome.paymentMethod);
  const cardType = outcome.card?.cardType ?? paymentMethod.cardType;
  const accountType = accountTypeOf(payment, operation, outcome.accountType ?? paymentMethod.accountType);
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
export function saidByService(
  payment: Payment,
  responseCode: ResponseCode,
  hostResponseText: string,
): TransactionResponse {
  const paymentMethod = paymentMethodDetails(payment);
  return {
    responseCode,
    amountApproved: 0,
    hostResponseText,
    paymentMethod,
    ...(paymentMethod.cardType !== undefined && { cardType: paymentMethod.cardType }),
    receipt: { lines: [] },
  };
}

/** `interface.md` 2.5: the immediate answer of a hosted bank form has it in lower case. */
function accountTypeOf(
  payment: Payment,
  operation: Operation,
  accountType: string | undefined,
): string | undefined {
  const immediate = operation.progress.status === 'Processing' && payment.form !== undefined;
  return immediate ? accountType?.toLowerCase() : accountType;
}
