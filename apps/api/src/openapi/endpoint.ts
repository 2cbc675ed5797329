import { applyDecorators, SetMetadata } from '@nestjs/common';
import {
  ApiBody,
  ApiIncludeEndpoint,
  ApiOperation,
  ApiProduces,
  ApiResponse,
  type ApiBodyOptions,
  type ApiResponseOptions,
} from '@nestjs/swagger';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { ListPage } from '@tillstream/contracts';
import { columnsOf, CSV_COLUMNS, itemOfPage } from '../csv/csv.columns.js';
import { indexOfParameter } from '../http/route.parameters.js';
import { isListQuery } from '../validation/list.query.js';
import { validBody } from '../validation/valid.body.js';
import type { Dto } from '../validation/field.schema.js';
import { errorResponses, type Audience, type Rejections } from './error.responses.js';
import { responseHeaders } from './headers.js';
import { listResponse } from './list.response.js';
import {
  ACTOR,
  IDEMPOTENCY_KEY,
  listDecorators,
  pathDecorator,
  TRACEPARENT,
  type FilterTexts,
  type PathParameter,
} from './parameters.js';
import type { Shape } from './response.schema.js';

/*
 * The description of a controller's endpoints. `@MerchantApi`, `@OperatorApi` or `@PublicApi` says who may call them, and takes
 * their texts. The rest follows from the methods: body and filters from the classes of `@Body()` and `@Query()`; headers,
 * keys and common errors from the audience.
 */

export interface EndpointText {
  readonly summary: string;
  readonly description: string;
  /** By name in the path. */
  readonly path?: Readonly<Record<string, PathParameter>>;
  /** A text for each filter of a list, by name. */
  readonly filters?: FilterTexts;
  /** Of the body: a summary and a value. Left out: the body is `NoFieldsDto`, or the endpoint reads. */
  readonly examples?: Examples;
  readonly response: ResponseText;
  /** Error codes that depend on what the service knows, besides those that the request alone decides. */
  readonly rejections?: Rejections;
  /** Responses that are neither an error nor a success, by status. */
  readonly otherResponses?: Readonly<Record<number, ResponseText>>;
}

/** By name. */
export type Examples = Readonly<Record<string, readonly [summary: string, value: object]>>;

export interface ResponseText {
  readonly description: string;
  readonly shape: Shape<unknown> | 'text/plain';
  readonly example: object | string;
}

/** The texts of a controller's endpoints, by method. The method's name is the `operationId` of the document. */
export type EndpointTexts = Readonly<Record<string, EndpointText>>;

/**
 * Describes the methods of a controller.
 *
 * @throws Error where a filter has no text, or a text has no filter
 */
export const describeEndpoints =
  (audience: Audience, texts: EndpointTexts): ClassDecorator =>
  (controller) => {
    const prototype = controller.prototype as object;
    for (const [name, text] of Object.entries(texts)) {
      const method = Object.getOwnPropertyDescriptor(prototype, name);
      if (!method) throw new Error(`${controller.name} has no method ${name}`);
      const described = { operationId: name, ...text };
      endpoint(audience, described, parametersOf(controller, name))(prototype, name, method);
    }
  };

interface ParameterClasses {
  readonly dto: Dto<object> | undefined;
  readonly query: unknown;
}

/** The classes of `@Body()` and `@Query()`. */
function parametersOf(controller: { readonly prototype: unknown }, name: string): ParameterClasses {
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, name) ??
    []) as unknown[];
  const typeAt = (index: number | undefined): unknown => (index === undefined ? undefined : types[index]);
  return {
    dto: typeAt(indexOfParameter(RouteParamtypes.BODY, controller, name)) as Dto<object> | undefined,
    query: typeAt(indexOfParameter(RouteParamtypes.QUERY, controller, name)),
  };
}

function endpoint(
  audience: Audience,
  text: EndpointText & { readonly operationId: string },
  { dto, query }: ParameterClasses,
): MethodDecorator {
  const {
    operationId,
    summary,
    description,
    path = {},
    filters,
    examples,
    response,
    otherResponses = {},
  } = text;
  const writes = dto !== undefined;
  const security = audience === 'anyone' ? [] : [{ ApiKey: [] }, { Bearer: [] }];
  const forMerchants = audience === 'merchants';
  return applyDecorators(
    ApiIncludeEndpoint(),
    ApiOperation({ operationId, summary, description, security }),
    ...Object.entries(path).map(([name, parameter]) => pathDecorator(name, parameter)),
    ...(isListQuery(query) ? listDecorators(query.rules, filters) : []),
    ...(writes
      ? [IDEMPOTENCY_KEY, ...(audience === 'operators' ? [ACTOR] : []), requestBody(dto, examples)]
      : []),
    TRACEPARENT,
    ...(isListQuery(query)
      ? [list(response, forMerchants, query.rules.totals ?? false)]
      : [success(200, response, { forMerchants, replayable: writes })]),
    ...Object.entries(otherResponses).map(([status, other]) =>
      success(Number(status), other, { forMerchants }),
    ),
    ...errorResponses(audience, { body: dto, rejections: text.rejections }).map((options) =>
      ApiResponse(options),
    ),
  );
}

function requestBody(dto: Dto<object>, examples: Examples = NO_FIELDS): MethodDecorator {
  // An empty body counts as `{}` where `{}` is valid.
  const required = validBody(dto, {}).errors.length > 0;
  const described = Object.entries(examples).map(([name, [summary, value]]) => [name, { summary, value }]);
  return ApiBody({ type: dto, required, examples: Object.fromEntries(described) } as ApiBodyOptions);
}

/** Of `NoFieldsDto`. */
const NO_FIELDS: Examples = { none: ['Nothing', {}] };

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

/** @throws Error where the response is no page: a list has CSV too, and its columns follow from the items of the page. */
function list({ shape, example, description }: ResponseText, forMerchants: boolean, totals: boolean) {
  const item = shape === 'text/plain' ? undefined : itemOfPage(shape);
  if (shape === 'text/plain' || !item) throw new Error('the response of a list is no page');
  const columns = columnsOf(item);
  const page = { description, shape, example: example as ListPage<unknown> };
  return applyDecorators(
    SetMetadata(CSV_COLUMNS, columns),
    listResponse(page, columns, responseHeaders({ forMerchants }), totals),
  );
}

export const answer = (
  description: string,
  shape: ResponseText['shape'],
  example: ResponseText['example'],
): ResponseText => ({ description, shape, example });

/** A page of a list, with one item as the example. */
export const pageResponse = (
  shape: Shape<unknown>,
  item: object,
  description = 'A page of them.',
): ResponseText => answer(description, shape, { data: [item], hasMore: false, nextCursor: null });
