import type { TransactionResponse, TransactionStatus } from '@tillstream/contracts';
import { ResponseCode, ResultCode } from '@tillstream/domain';
import { recordedResponse, serviceResponse, type PresentedOperation } from './transaction.response.js';

export interface PublicStatus {
  readonly status: TransactionStatus;
  readonly resultCode: number;
  readonly responses: TransactionResponse[];
}

/**
 * `docs/spec/transactions.md#endings`, row by row: where an operation stands, as its public status, result code and
 * responses.
 */
export function publicStatus(answered: PresentedOperation): PublicStatus {
  const { progress, byForm } = answered;
  const heard = answered.responses.map((response) => recordedResponse(answered, response));
  const said = (responseCode: ResponseCode, hostText: string): TransactionResponse[] => [
    serviceResponse(answered, responseCode, hostText),
    ...heard,
  ];
  switch (progress.status) {
    case 'AwaitingCustomer': {
      // A form whose last try failed shows why, and waits for the next.
      const resultCode = answered.responses[0]?.resultCode ?? ResultCode.RequestPending;
      return { status: 'Pending', resultCode, responses: heard };
    }
    case 'InFlight':
      return { status: 'Pending', resultCode: ResultCode.RequestPending, responses: heard };
    case 'ChallengeOpen':
      return { status: 'Pending', resultCode: ResultCode.VerificationRequired, responses: heard };
    case 'Interrupted':
      // Nobody was told of an abandoned one, so nothing but "no outcome yet" was ever said.
      return progress.cause === 'Abandoned'
        ? { status: 'Interrupted', resultCode: ResultCode.RequestPending, responses: heard }
        : {
            status: 'Interrupted',
            resultCode: ResultCode.UnknownError,
            responses: said(ResponseCode.Unknown, 'no answer in time; the outcome is not known yet'),
          };
    case 'Processing': {
      // A hosted form says success at once; what a token or a follow-up began says that it is being processed.
      const resultCode = byForm ? ResultCode.Success : ResultCode.BankTransferProcessing;
      return { status: 'Processing', resultCode, responses: heard };
    }
    case 'Approved':
      return { status: 'Completed', resultCode: ResultCode.Success, responses: heard };
    case 'Declined':
      return { status: 'Completed', resultCode: progress.resultCode, responses: heard };
    case 'Cancelled': {
      const { resultCode, responseCode, hostText } = progress;
      const responses = responseCode === undefined ? heard : said(responseCode, hostText ?? 'cancelled');
      return { status: 'Cancelled', resultCode, responses };
    }
    case 'FormExpired':
      return { status: 'Expired', resultCode: ResultCode.TookTooLong, responses: heard };
    case 'NotExecuted':
      return {
        status: 'Completed',
        resultCode: ResultCode.Success,
        responses: said(ResponseCode.NetworkError, 'not executed; no money moved'),
      };
    case 'NotSent':
      return {
        status: 'Cancelled',
        resultCode: ResultCode.NotReady,
        responses: said(ResponseCode.NetworkError, 'never sent to the processor; no money moved'),
      };
  }
}
