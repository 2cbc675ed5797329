import type { TransactionResponse, TransactionStatus } from '@tillstream/contracts';
import { ResponseCode, ResultCode } from '@tillstream/domain';
import { recordedResponse, serviceResponse, type PresentedOperation } from './transaction.response.js';

export interface PublicStatus {
  readonly status: TransactionStatus;
  readonly resultCode: number;
  readonly responses: TransactionResponse[];
}

/**
 * The public status, result code and responses of an operation, row by row as in `docs/spec/transactions.md#endings`.
 */
export function publicStatus(operation: PresentedOperation): PublicStatus {
  const { progress, byForm } = operation;
  const recorded = operation.responses.map((response) => recordedResponse(operation, response));
  const withServiceResponse = (responseCode: ResponseCode, hostText: string): TransactionResponse[] => [
    serviceResponse(operation, responseCode, hostText),
    ...recorded,
  ];
  switch (progress.status) {
    case 'AwaitingCustomer': {
      // A form shows why its last attempt failed while it waits for the next one.
      const resultCode = operation.responses[0]?.resultCode ?? ResultCode.RequestPending;
      return { status: 'Pending', resultCode, responses: recorded };
    }
    case 'InFlight':
      return { status: 'Pending', resultCode: ResultCode.RequestPending, responses: recorded };
    case 'ChallengeOpen':
      return { status: 'Pending', resultCode: ResultCode.VerificationRequired, responses: recorded };
    case 'Interrupted':
      // The client of an abandoned attempt got no answer, so the result stays "no outcome yet".
      return progress.cause === 'Abandoned'
        ? { status: 'Interrupted', resultCode: ResultCode.RequestPending, responses: recorded }
        : {
            status: 'Interrupted',
            resultCode: ResultCode.UnknownError,
            responses: withServiceResponse(
              ResponseCode.Unknown,
              'no answer in time; the outcome is not known yet',
            ),
          };
    case 'Processing': {
      // A hosted form shows success at once; other bank payments show that the transfer is being processed.
      const resultCode = byForm ? ResultCode.Success : ResultCode.BankTransferProcessing;
      return { status: 'Processing', resultCode, responses: recorded };
    }
    case 'Approved':
      return { status: 'Completed', resultCode: ResultCode.Success, responses: recorded };
    case 'Declined':
      return { status: 'Completed', resultCode: progress.resultCode, responses: recorded };
    case 'Cancelled': {
      const { resultCode, responseCode, hostText } = progress;
      const responses =
        responseCode === undefined ? recorded : withServiceResponse(responseCode, hostText ?? 'cancelled');
      return { status: 'Cancelled', resultCode, responses };
    }
    case 'FormExpired':
      return { status: 'Expired', resultCode: ResultCode.TookTooLong, responses: recorded };
    case 'NotExecuted':
      return {
        status: 'Completed',
        resultCode: ResultCode.Success,
        responses: withServiceResponse(ResponseCode.NetworkError, 'not executed; no money moved'),
      };
    case 'NotSent':
      return {
        status: 'Cancelled',
        resultCode: ResultCode.NotReady,
        responses: withServiceResponse(
          ResponseCode.NetworkError,
          'never sent to the processor; no money moved',
        ),
      };
  }
}
