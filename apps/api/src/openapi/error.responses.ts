import { getSchemaPath, type ApiResponseOptions } from '@nestjs/swagger';
import { ErrorCode, type ExecutionStatus } from '@tillstream/contracts';
import type { Dto } from '../validation/field.schema.js';
import { componentMark } from './component.js';
import { ERROR_ENVELOPE, sampleEnvelope, whenAnswered } from './error.codes.js';
import { responseHeaders, type HeaderOptions } from './headers.js';
import { errorCodes } from './request.schema.js';

const {
  AuthenticationGenericError,
  MerchantNotAuthorizedForResource,
  UnknownServerGenericError,
  UnhandledGenericError,
} = ErrorCode;

/** Whose key an endpoint takes. */
export type Audience = 'merchants' | 'operators' | 'anyone';

/** Error codes by status. */
export type Rejections = Readonly<Partial<Record<400 | 404 | 409 | 500, readonly number[]>>>;

interface RequestFacts {
  /** Undefined: the endpoint reads. */
  readonly body: Dto<object> | undefined;
  readonly rejections: Rejections | undefined;
}

/** The error responses of an endpoint. */
export function errorResponses(
  audience: Audience,
  { body, rejections = {} }: RequestFacts,
): readonly ApiResponseOptions[] {
  if (audience === 'anyone') return [];
  const forMerchants = audience === 'merchants';
  const writes = body !== undefined;
  const ofRequest = body
    ? [...errorCodes(body), ErrorCode.RequestValidationUnsupportedPayload]
    : [ErrorCode.RequestValidationGenericError];
  const rejected = (status: 400 | 404 | 409, always: readonly number[] = []): ApiResponseOptions[] => {
    const codes = [...new Set([...always, ...(rejections[status] ?? [])])].sort((a, b) => a - b);
    return codes.length === 0 ? [] : [errorResponse(status, codes, ['Rejected'], { forMerchants })];
  };
  const unauthenticated = forMerchants
    ? [AuthenticationGenericError, MerchantNotAuthorizedForResource]
    : [AuthenticationGenericError];
  const headers = { forMerchants };
  return [
    ...rejected(400, ofRequest),
    shared('Unauthenticated', errorResponse(401, unauthenticated, ['Rejected'], headers)),
    ...rejected(404),
    ...rejected(409, writes ? [ErrorCode.TransactionNotCompleteYet] : []),
    ...(forMerchants ? [RATE_LIMITED] : []),
    // A read that fails changed nothing. A write that fails may not know what happened.
    writes
      ? writingFailed(rejections[500] ?? [], headers)
      : shared('ReadingFailed', errorResponse(500, [UnhandledGenericError], ['Rejected'], headers)),
  ];
}

function writingFailed(codes: readonly number[], headers: HeaderOptions): ApiResponseOptions {
  const response = errorResponse(
    500,
    [UnknownServerGenericError, ...codes, UnhandledGenericError],
    ['Interrupted', 'Rejected', 'Unknown'],
    { ...headers, replayable: true },
  );
  return codes.length === 0 ? shared('WritingFailed', response) : response;
}

const shared = (name: string, response: ApiResponseOptions): ApiResponseOptions => ({
  ...response,
  ...componentMark(`responses/${name}`),
});

const TITLES: Readonly<Record<number, string>> = {
  400: 'The request is invalid; `errorDetails` names each field.',
  401: 'The key is missing or invalid, or it does not allow this call.',
  404: 'An object that the request names does not exist.',
  409: 'Not yet: try again later.',
  429: 'Too many requests. Nothing happened; wait as long as `Retry-After` says.',
  500: 'The service failed. `status` says whether the request may have been executed.',
};

function errorResponse(
  status: number,
  codes: readonly number[],
  statuses: readonly ExecutionStatus[],
  headers: HeaderOptions,
): ApiResponseOptions {
  // Its code has a meaning of its own here.
  const isLimit = status === 429;
  const table = isLimit ? '' : `\n\n| \`code\` | When |\n|---|---|\n${whenAnswered(codes)}`;
  const message = isLimit ? 'Too many requests; try again later.' : undefined;
  return {
    status,
    description: `${TITLES[status]}${table}`,
    headers: responseHeaders(headers),
    schema: {
      allOf: [
        { $ref: getSchemaPath(ERROR_ENVELOPE) },
        {
          type: 'object',
          properties: { code: { enum: [...codes] }, status: { enum: [...statuses] } },
        },
      ],
    },
    example: sampleEnvelope(codes[0] ?? ErrorCode.Unknown, statuses[0] ?? 'Rejected', message),
  } as ApiResponseOptions;
}

const RATE_LIMITED = shared(
  'RateLimited',
  errorResponse(429, [UnknownServerGenericError], ['Rejected'], { forMerchants: true, retryAfter: true }),
);
