import {
  fieldSchemas,
  fieldsOf,
  nestedFields,
  type Dto,
  type FieldSchema,
} from '../validation/field.schema.js';
import type { JsonSchema } from '../validation/json.schema.js';
import { ErrorCode } from '@tillstream/contracts';
import { component, describedHere } from './component.js';

/** What a person has to know of a field beside its limits, which its rules say themselves. */
export interface FieldText {
  readonly description: string;
  readonly example?: unknown;
  /** What counts where it is left out. */
  readonly default?: unknown;
  /** Of a field with fields of its own. */
  readonly of?: RequestSchema;
}

export type FieldTexts<Body> = { readonly [Name in keyof Required<Body>]: FieldText };

/** The body of a request, as its DTO enforces it. */
export interface RequestSchema {
  readonly name: string;
  readonly dto: Dto<object>;
  readonly schema: JsonSchema;
  /** That an error of one of its fields can have. */
  readonly codes: readonly number[];
}

/**
 * Limits, types and codes come from the rules of the DTO's fields, and only texts and examples from here: a field without
 * a text does not compile.
 *
 * @throws Error where no rule of a field says its type.
 */
export function requestSchema<Body extends object>(
  dto: Dto<Body>,
  name: string,
  description: string,
  texts: FieldTexts<Body>,
  { atLeastOne = false } = {},
): RequestSchema {
  const fields = fieldSchemas(dto.prototype as object);
  const names = [...fieldsOf(dto)];
  const textOf = (field: string): FieldText => {
    const text = (texts as Readonly<Record<string, FieldText>>)[field];
    if (!text) throw new Error(`${name}.${field} is not described`);
    return text;
  };
  const ofObject = [...new Set(Object.values(fields).flatMap((field) => field.ofObject))];
  const required = names.filter((field) => fields[field]?.required);
  const schema: JsonSchema = {
    type: 'object',
    description,
    properties: Object.fromEntries(
      names.map((field) => {
        const { of } = textOf(field);
        if (of?.dto !== nestedFields(dto.prototype as object)[field]?.type)
          throw new Error(`${name}.${field} is described as the wrong object`);
        return [field, propertySchema(`${name}.${field}`, fields[field], textOf(field))];
      }),
    ),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...(atLeastOne && { minProperties: 1 }),
    ...(ofObject.length === 1 ? ofObject[0] : ofObject.length > 1 && { allOf: ofObject }),
  };
  return {
    name,
    dto,
    schema: component('schemas', name, schema),
    codes: codesOf(dto),
  };
}

function propertySchema(path: string, field: FieldSchema | undefined, text: FieldText): JsonSchema {
  const { description, example, default: usual, of } = text;
  if (of) return describedHere(of.schema, description);
  if (field?.value.type === undefined || field.value.type === 'object')
    throw new Error(`${path}: none of its rules says its type`);
  return {
    ...field.value,
    description,
    ...(usual !== undefined && { default: usual }),
    ...(example !== undefined && { examples: [example] }),
  };
}

/** Of its own fields and of those inside them, where an object can give its errors a code of its own. */
function codesOf(dto: Dto<object>): readonly number[] {
  const prototype = dto.prototype as object;
  const own = Object.values(fieldSchemas(prototype)).flatMap(({ codes }) => codes);
  const inner = Object.values(nestedFields(prototype)).flatMap(({ type, codeInside }) =>
    codesOf(type).map((code) =>
      code === ErrorCode.RequestValidationGenericError ? (codeInside ?? code) : code,
    ),
  );
  // Unknown fields and parameters, and errors of several kinds.
  return [...new Set([ErrorCode.RequestValidationGenericError, ...own, ...inner])].sort((a, b) => a - b);
}
