import 'reflect-metadata';
import type { JsonSchema } from './json.schema.js';

/** What the rules of one field say of it, for who describes the API. Nothing is decided by it. */
export interface FieldSchema {
  /** Of its value. */
  readonly value: JsonSchema;
  /** Of the object that it is a field of, where rules look at several fields. */
  readonly ofObject: readonly JsonSchema[];
  readonly required: boolean;
  /** That its errors can have. */
  readonly codes: readonly number[];
}

const FIELDS = Symbol('field schemas');
const NOTHING: FieldSchema = { value: {}, ofObject: [], required: false, codes: [] };

export interface RuleSchema {
  readonly value?: JsonSchema;
  readonly ofObject?: JsonSchema;
  readonly required?: boolean;
  readonly code: number;
}

/** A field can have several rules: what they say of its value is put together. */
export function recordFieldSchema(target: object, name: string | symbol, rule: RuleSchema): void {
  const known = fieldSchemas(target);
  const before = known[String(name)] ?? NOTHING;
  const field: FieldSchema = {
    value: { ...before.value, ...rule.value },
    ofObject: rule.ofObject ? [...before.ofObject, rule.ofObject] : before.ofObject,
    required: before.required || rule.required === true,
    codes: [...new Set([...before.codes, rule.code])],
  };
  Reflect.defineMetadata(FIELDS, { ...known, [name]: field }, target);
}

/** By field; those of the classes above it too. */
export function fieldSchemas(prototype: object): Readonly<Record<string, FieldSchema>> {
  return (Reflect.getMetadata(FIELDS, prototype) as Record<string, FieldSchema> | undefined) ?? {};
}
