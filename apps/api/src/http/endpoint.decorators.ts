import { applyDecorators, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Callers } from '../access/callers.js';
import { CSV_COLUMNS, type Column } from '../csv/csv.columns.js';
import { describeEndpoints, type EndpointTexts } from '../openapi/endpoint.js';
import type { RejectionCode } from '../transactions/rejection.errors.js';
import { indexOfParameter } from './route.parameters.js';

const STRICT = Symbol('strict requests');
const OPERATION = Symbol('operation');

/** On a controller: `RequestGuard` and `RequestPipe` hold its requests to the contract (`docs/spec/README.md#values`). */
export const StrictRequests = (): ClassDecorator => SetMetadata(STRICT, true);

/** On a controller whose endpoints merchants call with their API keys. */
export const MerchantApi = (texts: EndpointTexts = {}): ClassDecorator =>
  applyDecorators(Callers('MerchantKey'), StrictRequests(), describeEndpoints('merchants', texts));

/** On a controller whose endpoints operators call with their admin keys. */
export const OperatorApi = (texts: EndpointTexts = {}): ClassDecorator =>
  applyDecorators(Callers('AdminKey'), StrictRequests(), describeEndpoints('operators', texts));

/** On a controller whose endpoints need no key. */
export const PublicApi = (texts: EndpointTexts): ClassDecorator =>
  applyDecorators(Callers('Anyone'), describeEndpoints('anyone', texts));

export interface OperationOptions {
  /** Rejections about what the path names: no field of the body is to be changed. */
  readonly ofPath?: readonly RejectionCode[];
}

/**
 * On a method that starts an operation and returns its `RequestResult`; the response is the transaction. Other writing
 * methods return their response.
 */
export const Operation = (options: OperationOptions = {}): MethodDecorator => SetMetadata(OPERATION, options);

/** What the decorators say of a method. */
export interface Endpoint {
  readonly isStrict: boolean;
  readonly operation: OperationOptions | undefined;
  readonly hasQuery: boolean;
  /** Of a list: the columns of its CSV. */
  readonly csvColumns: readonly Column[] | undefined;
}

export function endpointOf(context: ExecutionContext): Endpoint {
  const handler = context.getHandler();
  const controller = context.getClass();
  return {
    isStrict: Reflect.hasMetadata(STRICT, controller),
    operation: Reflect.getMetadata(OPERATION, handler) as OperationOptions | undefined,
    hasQuery: indexOfParameter(RouteParamtypes.QUERY, controller, handler.name) !== undefined,
    csvColumns: Reflect.getMetadata(CSV_COLUMNS, handler) as readonly Column[] | undefined,
  };
}

export function takesBody(controller: object, method: string): boolean {
  return indexOfParameter(RouteParamtypes.BODY, controller, method) !== undefined;
}

export const isStrict = (controller: object): boolean => Reflect.hasMetadata(STRICT, controller);
