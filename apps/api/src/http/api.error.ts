import { ErrorCode, type ErrorDetail, type ErrorEnvelope, type ExecutionStatus } from '@tillstream/contracts';
import { Answer } from './answer.js';

/** An answer that is no success (`docs/spec/errors.md#envelope`). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: ExecutionStatus;
  readonly errorDetails: readonly ErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly http: 400 | 401 | 404 | 409 | 429 | 500,
    readonly code: number,
    message: string,
    more: {
      readonly status?: ExecutionStatus;
      readonly errorDetails?: readonly ErrorDetail[];
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(message);
    this.status = more.status ?? 'Rejected';
    this.errorDetails = more.errorDetails ?? [];
    this.headers = more.headers ?? {};
  }
}

export function envelopeAnswer(error: ApiError, traceId: string): Answer {
  const envelope: ErrorEnvelope = {
    code: error.code,
    status: error.status,
    message: error.message,
    traceId,
    timestamp: new Date().toISOString(),
    errorDetails: [...error.errorDetails],
  };
  return new Answer(error.http, JSON.stringify(envelope), error.headers);
}

/**
 * One field is wrong, or several of one kind: the specific code; else 2000
 * (`docs/spec/errors.md#when-each-code-is-answered`).
 */
export function invalidFields(errors: readonly ErrorDetail[]): ApiError {
  const [first] = errors;
  const generic = ErrorCode.RequestValidationGenericError;
  const code = first && errors.every((error) => error.code === first.code) ? first.code : generic;
  const message =
    errors.length === 1 && first ? first.message : 'Several fields are invalid; see errorDetails.';
  return new ApiError(400, code, message, { errorDetails: errors.slice(0, MOST_DETAILS) });
}

/** A body of nothing but wrong fields must not make an answer that is larger than it. */
const MOST_DETAILS = 100;

export function notFound(message: string, code: number = ErrorCode.ResourceNotFound): ApiError {
  return new ApiError(404, code, message);
}

export function unsupportedPayload(message: string, details: string, field = 'body'): ApiError {
  const code = ErrorCode.RequestValidationUnsupportedPayload;
  const errorDetails = [{ code, field, message, details }];
  return new ApiError(400, code, message, { errorDetails });
}
