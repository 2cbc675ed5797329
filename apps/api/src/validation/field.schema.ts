import { getMetadataStorage, ValidationTypes } from 'class-validator';
import type { RuleContext } from './field.rule.js';
import type { JsonSchema } from './json.schema.js';

/* What class-validator's storage holds of a DTO class. The validation and the description of the API read it here. */

export type Dto<Body extends object> = new () => Body;

interface FieldSchema {
  /** Of its value. */
  readonly value: JsonSchema;
  /** Of the object that has the field, where rules read several fields. */
  readonly ofObject: readonly JsonSchema[];
  readonly required: boolean;
  /** Of its errors. */
  readonly codes: readonly number[];
}

export interface NestedFields {
  readonly type: Dto<object>;
  /** Of the error where it is no object. */
  readonly code: number;
  /** Of every error in it that has no code more specific than 2000. */
  readonly codeInside?: number;
  /** The field is a list of at most so many objects; absent: it is one object. */
  readonly listMax?: number;
}

interface DtoFields {
  readonly schemas: Readonly<Record<string, FieldSchema>>;
  readonly nested: Readonly<Record<string, NestedFields>>;
}

const FIELDS = new WeakMap<object, DtoFields>();
const NOTHING: FieldSchema = { value: {}, ofObject: [], required: false, codes: [] };

/** By field; those of base classes too. */
export function fieldSchemas(prototype: object): Readonly<Record<string, FieldSchema>> {
  return fieldsOfDto(prototype).schemas;
}

/** The fields with fields of their own. */
export function nestedFields(prototype: object): Readonly<Record<string, NestedFields>> {
  return fieldsOfDto(prototype).nested;
}

/** The names of its fields; each name once. */
export function fieldsOf(dto: Dto<object>): readonly string[] {
  return Object.keys(fieldSchemas(dto.prototype as object));
}

function fieldsOfDto(prototype: object): DtoFields {
  const known = FIELDS.get(prototype);
  if (known) return known;
  const schemas: Record<string, FieldSchema> = {};
  const nested: Record<string, NestedFields> = {};
  const storage = getMetadataStorage();
  for (const rule of storage.getTargetValidationMetadatas(prototype.constructor, '', true, false)) {
    const { propertyName: name, type } = rule;
    const context = rule.context as (RuleContext & NestedFields) | undefined;
    const before = schemas[name] ?? NOTHING;
    schemas[name] = {
      value: { ...before.value, ...context?.schema },
      ofObject: context?.objectSchema ? [...before.ofObject, context.objectSchema] : before.ofObject,
      required: before.required || type === ValidationTypes.IS_DEFINED,
      codes: context ? [...new Set([...before.codes, context.code])] : before.codes,
    };
    if (type === ValidationTypes.NESTED_VALIDATION && context) nested[name] = context;
  }
  const fields = { schemas, nested };
  FIELDS.set(prototype, fields);
  return fields;
}
