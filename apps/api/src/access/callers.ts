import 'reflect-metadata';
import { SetMetadata } from '@nestjs/common';
import type { CallerKind } from './caller.kinds.js';

/** The callers of a route; `Anyone` needs no credential. */
type Admitted = readonly ['Anyone'] | readonly [CallerKind, ...CallerKind[]];

const ADMITTED = Symbol('admitted callers');
const MANAGED_WEBHOOKS = Symbol('managed webhooks');
const UNKNOWN_PATH = Symbol('unknown path');

/**
 * Who may call a route: on a controller for all of its methods, on a method for that one instead. With several kinds, the
 * first one whose credential is in the request counts. A route without it admits no caller, and the service does not start.
 */
export const Callers = (...admitted: Admitted): ClassDecorator & MethodDecorator =>
  SetMetadata(ADMITTED, admitted);

/** On a controller of unknown paths: it requires a valid credential, but no permission. */
export const UnknownPath = (): ClassDecorator => SetMetadata(UNKNOWN_PATH, true);

/** On a controller: its writing calls are for merchants with `managedWebhooks` (`docs/spec/webhooks.md#managed-endpoints`). */
export const NeedsManagedWebhooks = (): ClassDecorator => SetMetadata(MANAGED_WEBHOOKS, true);

export function needsManagedWebhooks(controller: object): boolean {
  return Reflect.hasMetadata(MANAGED_WEBHOOKS, controller);
}

/** Undefined: the route does not say. */
export function admittedTo(handler: object, controller: object): Admitted | undefined {
  return (Reflect.getMetadata(ADMITTED, handler) ?? Reflect.getMetadata(ADMITTED, controller)) as
    Admitted | undefined;
}

export function isUnknownPath(controller: object): boolean {
  return Reflect.hasMetadata(UNKNOWN_PATH, controller);
}
