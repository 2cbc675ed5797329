import 'reflect-metadata';

/** Whether a field's value, `undefined` where it was left out, is as one of its rules wants it in this body. */
export type FieldCheck = (value: unknown, body: Readonly<Record<string, unknown>>) => boolean;

type ChecksByField = Readonly<Record<string, readonly FieldCheck[]>>;

const CHECKS = Symbol('field checks');

/** A field can have several. As with class-validator, a field that a class declares anew has none of those above it. */
export function recordFieldCheck(target: object, name: string | symbol, check: FieldCheck): void {
  const own = (Reflect.getOwnMetadata(CHECKS, target) as ChecksByField | undefined) ?? {};
  Reflect.defineMetadata(CHECKS, { ...own, [name]: [...(own[String(name)] ?? []), check] }, target);
}

/** Those of the classes above it too. */
export function fieldChecks(prototype: object): ChecksByField {
  const above = Object.getPrototypeOf(prototype) as object | null;
  const own = Reflect.getOwnMetadata(CHECKS, prototype) as ChecksByField | undefined;
  return above === null ? {} : { ...fieldChecks(above), ...own };
}
