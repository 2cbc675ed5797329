import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

/** The index of a method's `@Body()` or `@Query()`. Nest stores each parameter of a route under its kind and index. */
export function indexOfParameter(
  kind: RouteParamtypes,
  controller: object,
  method: string,
): number | undefined {
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as object;
  const key = Object.keys(parameters).find((name) => name.startsWith(`${kind}:`));
  return key === undefined ? undefined : Number(key.slice(key.indexOf(':') + 1));
}
