import { ErrorCode } from '@tillstream/contracts';
import type { OperationResult, TokenResult } from '@tillstream/payments';
import { ApiError, conflict, interrupted, notKnownWhetherStored, notStored } from '../http/api.error.js';
import { rejectionError, type Naming } from './rejection.errors.js';

/** The result of a request for an operation, on a payment or on a stored card. */
export type RequestResult = OperationResult | TokenResult;

/** Results that stored an operation: their responses are stored for the `Idempotency-Key`, 500s included. */
type StoredResult = Extract<RequestResult, { kind: 'Answered' | 'Interrupted' | 'NotSent' }>;
export type AnsweredResult = Extract<RequestResult, { kind: 'Answered' }>;

export function isStored(result: RequestResult): result is StoredResult {
  return result.kind === 'Answered' || result.kind === 'Interrupted' || result.kind === 'NotSent';
}

/**
 * Stored, but there is no outcome to show (`docs/spec/errors.md#when-each-code-is-answered` and
 * `docs/spec/transactions.md#endings`).
 */
export function noOutcomeError(result: Exclude<StoredResult, AnsweredResult>): ApiError {
  switch (result.kind) {
    case 'Interrupted':
      return interrupted(
        'The outcome is not known yet. Look the transaction up before you try again.',
        result,
      );
    case 'NotSent': {
      const message = 'The processor could not be reached. Nothing was sent to it, and no money moved.';
      const code = ErrorCode.UnhandledGenericError;
      const errorDetails = [
        { code, message, details: result.operationId },
        ...whyNotSent(result).map((details) => ({
          code,
          message: 'The service did not send the request. The reason is in details.',
          details,
        })),
      ];
      return new ApiError(500, code, message, { errorDetails });
    }
  }
}

/** The recorded reason, for a developer: a refused connection, an open breaker, an operator's reason. */
function whyNotSent(result: Extract<StoredResult, { kind: 'NotSent' }>): readonly string[] {
  const { operations } = 'payment' in result ? result.payment : result.token;
  const progress = operations.find(({ id }) => id === result.operationId)?.progress;
  return progress?.status === 'NotSent' ? [progress.reason] : [];
}

/** Nothing was stored: the key can be used again. */
export function unstoredError(result: Exclude<RequestResult, StoredResult>, naming: Naming): ApiError {
  switch (result.kind) {
    case 'Rejected':
      return rejectionError(result.rejection, naming);
    case 'NotStored':
      return notStored();
    case 'Uncertain':
      return notKnownWhetherStored(result);
    case 'Contended':
      return conflict('Too many operations at once; nothing was stored. Try again.');
    case 'KeyTaken':
      return conflict('The first request with this Idempotency-Key is still running.');
  }
}
