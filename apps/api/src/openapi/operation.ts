import { ErrorCode, type ExecutionStatus } from '@tillstream/contracts';
import type { Audience } from './audience.js';
import { component } from './component.js';
import { ERROR_ENVELOPE, sampleEnvelope, whenAnswered } from './errors.js';
import { headersOf, type HeadersOf } from './headers.js';
import type { AnswerText, BodyText, OperationText } from './operation.text.js';
import { ACTOR, IDEMPOTENCY_KEY, listParameters, TRACEPARENT } from './parameters.js';
import type { Route } from './routes.js';

/** What everybody can be answered on a path of this audience, and the headers that come with it. */
interface Place {
  readonly audience: Audience;
  readonly writes: boolean;
}

/** @throws Error where the path has a parameter that is not described, or the other way round. */
export function operationObject(route: Route, tag: string, audience: Audience, text: OperationText): object {
  const place: Place = { audience, writes: route.method !== 'get' };
  return {
    operationId: text.operationId,
    tags: [tag],
    summary: text.summary,
    description: text.description,
    security: audience === 'Anyone' ? [] : [{ ApiKey: [] }, { Bearer: [] }],
    parameters: parametersOf(route, place, text),
    ...(text.body && { requestBody: bodyObject(text.body) }),
    responses: responsesOf(place, text),
  };
}

function parametersOf(
  route: Route,
  { audience, writes }: Place,
  { path = {}, list }: OperationText,
): object[] {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  if (names.join() !== Object.keys(path).join()) {
    throw new Error(`${route.method} ${route.path} has the parameters ${names.join()}, described are others`);
  }
  return [
    ...names.map((name) => ({ name, in: 'path', required: true, ...path[name] })),
    ...(list ? listParameters(list) : []),
    ...(writes && audience !== 'Anyone' ? [IDEMPOTENCY_KEY] : []),
    ...(writes && audience === 'Operators' ? [ACTOR] : []),
    TRACEPARENT,
  ];
}

function bodyObject({ schema, mayBeEmpty = false, examples }: BodyText): object {
  return {
    required: !mayBeEmpty,
    content: { 'application/json': { schema: schema.schema, examples } },
  };
}

function responsesOf(place: Place, text: OperationText): object {
  const { answer, otherAnswers = {}, refusals = {} } = text;
  const forMerchants = place.audience === 'Merchants';
  const headers: HeadersOf = { forMerchants };
  const replayable = { forMerchants, replayable: place.writes };
  const refused = (status: 400 | 404 | 409, always: readonly number[] = []): object => {
    const codes = [...new Set([...always, ...(refusals[status] ?? [])])].sort((a, b) => a - b);
    return codes.length === 0 ? {} : { [status]: errorResponse(status, codes, ['Rejected'], headers) };
  };
  const others = Object.entries(otherAnswers).map(([status, other]) => [
    status,
    success(other, { forMerchants }),
  ]);
  if (place.audience === 'Anyone') return { 200: success(answer, headers), ...Object.fromEntries(others) };
  return {
    200: success(answer, replayable),
    ...Object.fromEntries(others),
    ...refused(400, codesOfRequest(place, text)),
    401: unauthenticated(place),
    ...refused(404),
    ...refused(409, place.writes ? [ErrorCode.TransactionNotCompleteYet] : []),
    ...(forMerchants && { 429: RATE_LIMITED }),
    500: failure(place),
  };
}

function codesOfRequest({ writes }: Place, { body }: OperationText): readonly number[] {
  const generic = ErrorCode.RequestValidationGenericError;
  if (!writes) return [generic];
  return [generic, ...(body?.schema.codes ?? []), ErrorCode.RequestValidationUnsupportedPayload];
}

function success(
  { description, schema, example, mediaType = 'application/json' }: AnswerText,
  headers: HeadersOf,
): object {
  return {
    description,
    headers: headersOf(headers),
    content: { [mediaType]: { schema, example } },
  };
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'The request is invalid; `errorDetails` names each field.',
  401: 'The key does not open this.',
  404: 'Something that the request names does not exist.',
  409: 'Not yet: try again later.',
  429: 'Too many requests. Nothing happened; wait for `Retry-After`.',
  500: 'It failed. `status` says whether anything may have happened.',
};

function errorResponse(
  status: number,
  codes: readonly number[],
  statuses: readonly ExecutionStatus[],
  headers: HeadersOf,
): object {
  // Its code has a meaning of its own here.
  const isLimit = status === 429;
  const table = isLimit ? '' : `\n\n| \`code\` | When |\n|---|---|\n${whenAnswered(codes)}`;
  const message = isLimit ? 'Too many requests; try again later.' : undefined;
  const example = sampleEnvelope(codes[0] ?? ErrorCode.Unknown, statuses[0] ?? 'Rejected', message);
  return {
    description: `${TITLES[status]}${table}`,
    headers: headersOf(headers),
    content: {
      'application/json': {
        schema: {
          allOf: [
            ERROR_ENVELOPE,
            { type: 'object', properties: { code: { enum: codes }, status: { enum: statuses } } },
          ],
        },
        example,
      },
    },
  };
}

const { AuthenticationGenericError, MerchantNotAuthorizedForResource } = ErrorCode;
const { UnknownServerGenericError, UnhandledGenericError } = ErrorCode;

const UNAUTHENTICATED = {
  merchant: component(
    'responses',
    'Unauthenticated',
    errorResponse(401, [AuthenticationGenericError, MerchantNotAuthorizedForResource], ['Rejected'], {
      forMerchants: true,
    }),
  ),
  operator: component(
    'responses',
    'Unauthenticated',
    errorResponse(401, [AuthenticationGenericError], ['Rejected'], { forMerchants: false }),
  ),
};

const RATE_LIMITED = component(
  'responses',
  'RateLimited',
  errorResponse(429, [UnknownServerGenericError], ['Rejected'], { forMerchants: true, retryAfter: true }),
);

function unauthenticated({ audience }: Place): object {
  return UNAUTHENTICATED[audience === 'Merchants' ? 'merchant' : 'operator'];
}

/* What fails on a reading path left nothing behind; a writing one may not know. */
const failures = (forMerchants: boolean) => ({
  reading: component(
    'responses',
    'ReadingFailed',
    errorResponse(500, [UnhandledGenericError], ['Rejected'], { forMerchants }),
  ),
  writing: component(
    'responses',
    'WritingFailed',
    errorResponse(
      500,
      [UnknownServerGenericError, UnhandledGenericError],
      ['Interrupted', 'Rejected', 'Unknown'],
      { forMerchants, replayable: true },
    ),
  ),
});
const FAILED = { merchant: failures(true), operator: failures(false) };

function failure({ audience, writes }: Place): object {
  return FAILED[audience === 'Merchants' ? 'merchant' : 'operator'][writes ? 'writing' : 'reading'];
}
