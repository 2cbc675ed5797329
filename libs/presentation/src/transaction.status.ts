import type { PaymentMethodDetails, TransactionResponse, TransactionStatus } from '@tillstream/contracts';
import {
  pick,
  ResponseCode,
  ResultCode,
  type AmountBreakdown,
  type Progress,
  type RecordedResponse,
} from '@tillstream/domain';

/** The part of an operation that its public status needs, for payments and stored cards. */
interface PresentedOperation {
  readonly progress: Progress;
  /** Newest first. */
  readonly responses: readonly RecordedResponse[];
  /** A customer at a hosted form makes, or made, the request. */
  readonly byForm: boolean;
  /** The payment method of that response; without a response, of the operation. */
  paymentMethodOf(response?: RecordedResponse): PaymentMethodDetails;
}

/**
 * The public status, result code and responses of an operation, row by row as in `docs/spec/transactions.md#endings`.
 */
export function publicStatus(operation: PresentedOperation) {
  const { progress, byForm } = operation;
  const recorded = operation.responses.map((response) => recordedResponse(operation, response));
  const ended = (status: TransactionStatus, resultCode: number, byService?: TransactionResponse) => ({
    status,
    resultCode,
    responses: byService ? [byService, ...recorded] : recorded,
  });
  switch (progress.status) {
    case 'AwaitingCustomer':
      // A form shows why its last attempt failed while it waits for the next one.
      return ended('Pending', operation.responses[0]?.resultCode ?? ResultCode.RequestPending);
    case 'InFlight':
      return ended('Pending', ResultCode.RequestPending);
    case 'ChallengeOpen':
      return ended('Pending', ResultCode.VerificationRequired);
    case 'Interrupted': {
      // The client of an abandoned attempt got no answer, so the result stays "no outcome yet".
      if (progress.cause === 'Abandoned') return ended('Interrupted', ResultCode.RequestPending);
      const text = 'no answer in time; the outcome is not known yet';
      const response = serviceResponse(operation, ResponseCode.Unknown, text);
      return ended('Interrupted', ResultCode.UnknownError, response);
    }
    case 'Processing':
      // A hosted form shows success at once; other bank payments show that the transfer is being processed.
      return ended('Processing', byForm ? ResultCode.Success : ResultCode.BankTransferProcessing);
    case 'Approved':
      return ended('Completed', ResultCode.Success);
    case 'Declined':
      return ended('Completed', progress.resultCode);
    case 'Cancelled': {
      const { resultCode, responseCode, hostText = 'cancelled' } = progress;
      if (responseCode === undefined) return ended('Cancelled', resultCode);
      return ended('Cancelled', resultCode, serviceResponse(operation, responseCode, hostText));
    }
    case 'FormExpired':
      return ended('Expired', ResultCode.TookTooLong);
    case 'NotExecuted': {
      const text = 'not executed; no money moved';
      const response = serviceResponse(operation, ResponseCode.NetworkError, text);
      return ended('Completed', ResultCode.Success, response);
    }
    case 'NotSent': {
      const text = 'never sent to the processor; no money moved';
      const response = serviceResponse(operation, ResponseCode.NetworkError, text);
      return ended('Cancelled', ResultCode.NotReady, response);
    }
  }
}

/** The response of a processor, terminal or bank to one attempt. */
function recordedResponse(operation: PresentedOperation, response: RecordedResponse): TransactionResponse {
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
function serviceResponse(
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

/** The parts that are present, always in the same order. */
export function breakdownShape<Parts extends Partial<AmountBreakdown>>(breakdown: Parts) {
  return pick(breakdown, 'amountGoodsAndServices', 'tax', 'cashback', 'tip');
}
