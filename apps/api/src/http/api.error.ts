import { ErrorCode, type ErrorDetail, type ErrorEnvelope, type ExecutionStatus } from '@tillstream/contracts';
import { JsonResponse } from './json.response.js';

/** An error that is sent to the client as an envelope (`docs/spec/errors.md#envelope`). */
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

export function envelope(error: ApiError, traceId: string): JsonResponse {
  const body: ErrorEnvelope = {
    code: error.code,
    status: error.status,
    message: error.message,
    traceId,
    timestamp: new Date().toISOString(),
    errorDetails: [...error.errorDetails],
  };
  return new JsonResponse(error.http, JSON.stringify(body), error.headers);
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

/** The response to a body of wrong fields must not be larger than the body. */
const MOST_DETAILS = 100;

export function notFound(message: string, code: number = ErrorCode.ResourceNotFound): ApiError {
  return new ApiError(404, code, message);
}

/** With the field and the details in `errorDetails`, which is empty where both are undefined. */
export function detailedError(
  http: ApiError['http'],
  code: number,
  message: string,
  { field, details }: { readonly field?: string | undefined; readonly details?: string | undefined },
): ApiError {
  if (field === undefined && details === undefined) return new ApiError(http, code, message);
  const detail = {
    code,
    ...(field !== undefined && { field }),
    message,
    ...(details !== undefined && { details }),
  };
  return new ApiError(http, code, message, { errorDetails: [detail] });
}

export function unsupportedPayload(message: string, details: string, field = 'body'): ApiError {
  return detailedError(400, ErrorCode.RequestValidationUnsupportedPayload, message, { field, details });
}

/** 500, 3000, `Interrupted`: look before another request is sent. Names the transaction where it is known. */
export function interrupted(
  message: string,
  { operationId }: { readonly operationId?: string } = {},
): ApiError {
  const code = ErrorCode.UnknownServerGenericError;
  const errorDetails = operationId === undefined ? [] : [{ code, message, details: operationId }];
  return new ApiError(500, code, message, { status: 'Interrupted', errorDetails });
}

/** It is not known whether this request, or an earlier one that it repeats, was stored. */
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
