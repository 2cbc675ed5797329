import { applyDecorators, SetMetadata, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Callers } from '../access/callers.js';
import type { RejectionCode } from '../transactions/rejection.errors.js';

const STRICT = Symbol('strict requests');
const OPERATION = Symbol('operation');

/** On a controller: `ApiInterceptor` and `RequestPipe` hold its requests to the contract (`docs/spec/README.md#values`). */
export const StrictRequests = (): ClassDecorator => SetMetadata(STRICT, true);

/** On a controller whose endpoints merchants call with their API keys. */
export const MerchantApi = (): ClassDecorator => applyDecorators(Callers('MerchantKey'), StrictRequests());

/** On a controller whose endpoints operators call with their admin keys. */
export const OperatorApi = (): ClassDecorator => applyDecorators(Callers('AdminKey'), StrictRequests());

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
}

const ENDPOINTS = new WeakMap<object, Endpoint>();

export function endpointOf(context: ExecutionContext): Endpoint {
  const handler = context.getHandler();
  const known = ENDPOINTS.get(handler);
  if (known) return known;
  const controller = context.getClass();
  const endpoint: Endpoint = {
    isStrict: Reflect.hasMetadata(STRICT, controller),
    operation: Reflect.getMetadata(OPERATION, handler) as OperationOptions | undefined,
    hasQuery: takes(RouteParamtypes.QUERY, controller, handler.name),
  };
  ENDPOINTS.set(handler, endpoint);
  return endpoint;
}

export function takesBody(controller: object, method: string): boolean {
  return takes(RouteParamtypes.BODY, controller, method);
}

export const isStrict = (controller: object): boolean => Reflect.hasMetadata(STRICT, controller);

/** Nest names each parameter of a method by its kind and index. */
function takes(kind: RouteParamtypes, controller: object, method: string): boolean {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as object;
  return Object.keys(parameters).some((name) => name.startsWith(`${kind}:`));
}
