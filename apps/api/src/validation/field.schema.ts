import 'reflect-metadata';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import type { JsonSchema } from './json.schema.js';

/** What the rules of one field say of it, for the document of the API. It validates nothing. */
export interface FieldSchema {
  /** Of its value. */
  readonly value: JsonSchema;
  /** Of the object that it is a field of, where rules look at several fields. */
  readonly ofObject: readonly JsonSchema[];
  readonly required: boolean;
  /** That its errors can have. */
  readonly codes: readonly number[];
  /** The class of the object that it holds. */
  readonly type?: new () => object;
}

const FIELDS = Symbol('field schemas');
const NOTHING: FieldSchema = { value: {}, ofObject: [], required: false, codes: [] };

export interface RuleSchema {
  readonly value?: JsonSchema;
  readonly ofObject?: JsonSchema;
  readonly required?: boolean;
  readonly code: number;
  readonly type?: new () => object;
}

/** A field can have several rules: what they say of its value is put together. */
export function recordFieldSchema(target: object, name: string | symbol, rule: RuleSchema): void {
  const known = fieldSchemas(target);
  const before = known[String(name)] ?? NOTHING;
  const field: FieldSchema = {
    ...before,
    value: { ...before.value, ...rule.value },
    ofObject: rule.ofObject ? [...before.ofObject, rule.ofObject] : before.ofObject,
    required: before.required || rule.required === true,
    codes: [...new Set([...before.codes, rule.code])],
    ...(rule.type && { type: rule.type }),
  };
  Reflect.defineMetadata(FIELDS, { ...known, [name]: field }, target);
  ApiProperty(apiProperty(field))(target, name);
}

/** The same for @nestjs/swagger: the rules that validate a DTO are its schema in the document of the API. */
export function apiProperty({ value, required, type }: FieldSchema): ApiPropertyOptions {
  return { ...value, ...(type && { type: () => type }), required } as ApiPropertyOptions;
}

/** By field; those of the classes above it too. */
export function fieldSchemas(prototype: object): Readonly<Record<string, FieldSchema>> {
  return (Reflect.getMetadata(FIELDS, prototype) as Record<string, FieldSchema> | undefined) ?? {};
}
