import { ErrorCode } from '@tillstream/contracts';
import type { OperationResult } from '@tillstream/payments';
import { transactionResult } from '@tillstream/presentation';
import { Answer } from '../http/answer.js';
import { ApiError, envelopeAnswer } from '../http/api.error.js';
import { refusalError } from './refusal.answer.js';

/** Results that stored an operation: their answers are kept for `Idempotency-Key`, 500s included. */
export type StoredResult = Extract<OperationResult, { kind: 'Answered' | 'Interrupted' | 'NotSent' }>;

export function isStored(result: OperationResult): result is StoredResult {
  return result.kind === 'Answered' || result.kind === 'Interrupted' || result.kind === 'NotSent';
}

/** `decisions.md` 2.1 and 2.3. */
export function storedAnswer(result: StoredResult, traceId: string): Answer {
  switch (result.kind) {
    case 'Answered':
      return Answer.ok(transactionResult(result.payment, result.operationId));
    case 'Interrupted': {
      const message = 'The outcome is not known yet. Look the transaction up before you try again.';
      const code = ErrorCode.UnknownServerGenericError;
      const errorDetails = [{ code, message, details: result.operationId }];
      return envelopeAnswer(
        new ApiError(500, code, message, { status: 'Interrupted', errorDetails }),
        traceId,
      );
    }
    case 'NotSent': {
      const message = 'The processor could not be reached. Nothing was sent to it, and no money moved.';
      const code = ErrorCode.UnhandledGenericError;
      const errorDetails = [{ code, message, details: result.operationId }];
      return envelopeAnswer(new ApiError(500, code, message, { errorDetails }), traceId);
    }
  }
}

/** Nothing was stored: the key can be used again. */
export function unstoredError(result: Exclude<OperationResult, StoredResult>): ApiError {
  switch (result.kind) {
    case 'Refused':
      return refusalError(result.refusal);
    case 'NotStored':
      return new ApiError(
        500,
        ErrorCode.UnhandledGenericError,
        'The request could not be stored. Nothing happened.',
      );
    case 'Contended':
      return conflict('Too many operations at once on this payment; nothing was stored. Try again.');
    case 'KeyTaken':
      return conflict('The first request with this Idempotency-Key is still running.');
  }
}

export function conflict(message: string): ApiError {
  return new ApiError(409, ErrorCode.TransactionNotCompleteYet, message);
}
