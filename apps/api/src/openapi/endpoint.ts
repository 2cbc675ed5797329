import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiIncludeEndpoint,
  ApiOperation,
  ApiProduces,
  ApiResponse,
  type ApiBodyOptions,
  type ApiResponseOptions,
} from '@nestjs/swagger';
import type { Filters } from '../validation/list.filters.js';
import { NoFieldsDto } from '../validation/no-fields.dto.js';
import type { Dto } from '../validation/field.schema.js';
import { errorResponses, type Audience, type Rejections } from './error.responses.js';
import { responseHeaders } from './headers.js';
import {
  ACTOR,
  IDEMPOTENCY_KEY,
  listDecorators,
  pathDecorator,
  TRACEPARENT,
  type ListText,
  type PathParameter,
} from './parameters.js';
import type { Shape } from './response.schema.js';

/*
 * One decorator describes an endpoint. Its route, its tag (`@ApiTags` of the controller) and its fields come from other
 * decorators; headers, keys and the errors that every endpoint has follow from the kind of the endpoint.
 */

export interface EndpointText {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** By name in the path. */
  readonly path?: Readonly<Record<string, PathParameter>>;
  readonly list?: ListText;
  /** An endpoint that writes has a body, if only `NoFieldsDto`; one that reads has none. */
  readonly body?: BodyText;
  readonly response: ResponseText;
  /** Error codes that depend on what the service knows, besides those that the request alone decides. */
  readonly rejections?: Rejections;
  /** Responses that are neither an error nor a success, by status. */
  readonly otherResponses?: Readonly<Record<number, ResponseText>>;
}

export interface BodyText {
  readonly dto: Dto<object>;
  /** An empty body counts as `{}`. */
  readonly mayBeEmpty?: boolean;
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
}

export interface ResponseText {
  readonly description: string;
  readonly shape: Shape<unknown> | 'text/plain';
  readonly example: object | string;
}

/** The texts of a controller's endpoints, by method. */
export const endpoints = <Name extends string>(
  texts: Readonly<Record<Name, EndpointText>>,
): Readonly<Record<Name, EndpointText>> => texts;

/**
 * An endpoint that takes a merchant's key.
 * @param filters Those of a list, each of which needs a text.
 */
export const MerchantEndpoint = (text: EndpointText, filters?: Filters): MethodDecorator =>
  endpoint('merchants', text, filters);

/** An endpoint that takes an admin key. */
export const OperatorEndpoint = (text: EndpointText, filters?: Filters): MethodDecorator =>
  endpoint('operators', text, filters);

/** An endpoint that takes no key. */
export const PublicEndpoint = (text: EndpointText): MethodDecorator => endpoint('anyone', text);

function endpoint(audience: Audience, text: EndpointText, filters?: Filters): MethodDecorator {
  const { operationId, summary, description, path = {}, list, body, response, otherResponses = {} } = text;
  const writes = body !== undefined;
  const security = audience === 'anyone' ? [] : [{ ApiKey: [] }, { Bearer: [] }];
  const forMerchants = audience === 'merchants';
  return applyDecorators(
    ApiIncludeEndpoint(),
    ApiOperation({ operationId, summary, description, security }),
    ...Object.entries(path).map(([name, parameter]) => pathDecorator(name, parameter)),
    ...(list ? listDecorators(list, filters) : []),
    ...(writes ? [IDEMPOTENCY_KEY, ...(audience === 'operators' ? [ACTOR] : []), requestBody(body)] : []),
    TRACEPARENT,
    success(200, response, { forMerchants, replayable: writes }),
    ...Object.entries(otherResponses).map(([status, other]) =>
      success(Number(status), other, { forMerchants }),
    ),
    ...errorResponses(audience, { body: body?.dto, rejections: text.rejections }).map((one) =>
      ApiResponse(one),
    ),
  );
}

function requestBody({ dto, mayBeEmpty = false, examples }: BodyText): MethodDecorator {
  return ApiBody({ type: dto, required: !mayBeEmpty, examples } as ApiBodyOptions);
}

function success(
  status: number,
  { description, shape, example }: ResponseText,
  headers: Parameters<typeof responseHeaders>[0],
): MethodDecorator {
  const plain = shape === 'text/plain';
  const schema = plain ? { schema: { type: 'string' } } : { type: shape };
  const options = { status, description, headers: responseHeaders(headers), ...schema, example };
  return applyDecorators(ApiResponse(options as ApiResponseOptions), ...(plain ? [ApiProduces(shape)] : []));
}

/** Of an endpoint whose path says everything. */
export const NO_BODY: BodyText = {
  dto: NoFieldsDto,
  mayBeEmpty: true,
  examples: { none: { summary: 'Nothing', value: {} } },
};

/** A page of a list, with one item as the example. */
export const pageResponse = (
  shape: Shape<unknown>,
  item: object,
  description = 'A page of them.',
): ResponseText => ({ description, shape, example: { data: [item], hasMore: false, nextCursor: null } });
