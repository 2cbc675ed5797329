import { ErrorCode } from '@tillstream/contracts';
import type { OperationResult, TokenResult } from '@tillstream/payments';
import type { Answer } from '../http/answer.js';
import { ApiError, envelopeAnswer } from '../http/api.error.js';
import { refusalError, type Naming } from './refusal.answer.js';

/** What comes of a request for an operation, on a payment or on a stored card. */
export type RequestResult = OperationResult | TokenResult;

/** Results that stored an operation: their answers are kept for `Idempotency-Key`, 500s included. */
export type StoredResult = Extract<RequestResult, { kind: 'Answered' | 'Interrupted' | 'NotSent' }>;
export type AnsweredResult = Extract<RequestResult, { kind: 'Answered' }>;

export function isStored(result: RequestResult): result is StoredResult {
  return result.kind === 'Answered' || result.kind === 'Interrupted' || result.kind === 'NotSent';
}

/**
 * Stored, but there is no outcome to show (`docs/spec/errors.md#when-each-code-is-answered` and
 * `docs/spec/transactions.md#endings`).
 */
export function withoutOutcome(result: Exclude<StoredResult, AnsweredResult>, traceId: string): Answer {
  switch (result.kind) {
    case 'Interrupted':
      return envelopeAnswer(
        interrupted('The outcome is not known yet. Look the transaction up before you try again.', result),
        traceId,
      );
    case 'NotSent': {
      const message = 'The processor could not be reached. Nothing was sent to it, and no money moved.';
      const code = ErrorCode.UnhandledGenericError;
      const errorDetails = [
        { code, message, details: result.operationId },
        ...whyNotSent(result).map((details) => ({ code, message: 'Why it was not sent.', details })),
      ];
      return envelopeAnswer(new ApiError(500, code, message, { errorDetails }), traceId);
    }
  }
}

/** As history has it, for a developer: a connection that was refused, a breaker that is open, an operator's reason. */
function whyNotSent(result: Extract<StoredResult, { kind: 'NotSent' }>): readonly string[] {
  const { operations } = 'payment' in result ? result.payment : result.token;
  const progress = operations.find(({ id }) => id === result.operationId)?.progress;
  return progress?.status === 'NotSent' ? [progress.reason] : [];
}

/** Nothing was stored: the key can be used again. */
export function unstoredError(result: Exclude<RequestResult, StoredResult>, naming?: Naming): ApiError {
  switch (result.kind) {
    case 'Refused':
      return refusalError(result.refusal, naming);
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

/** 500, 3000, `Interrupted`: look before another request is sent. With the id of the transaction where it is known. */
export function interrupted(
  message: string,
  { operationId }: { readonly operationId?: string } = {},
): ApiError {
  const code = ErrorCode.UnknownServerGenericError;
  const errorDetails = operationId === undefined ? [] : [{ code, message, details: operationId }];
  return new ApiError(500, code, message, { status: 'Interrupted', errorDetails });
}

export function notKnownWhetherStored(known: { readonly operationId?: string } = {}): ApiError {
  return interrupted('Whether the request was stored is not known. Look before you try again.', known);
}

export function notStored(): ApiError {
  const message = 'The request could not be stored. Nothing happened.';
  return new ApiError(500, ErrorCode.UnhandledGenericError, message);
}

export function conflict(message: string): ApiError {
  return new ApiError(409, ErrorCode.TransactionNotCompleteYet, message);
}
