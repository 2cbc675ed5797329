import { ApiProperty, ApiSchema, type ApiSchemaOptions } from '@nestjs/swagger';
import { ErrorCode } from '@tillstream/contracts';
import { nestedFields } from '../validation/field.decorators.js';
import { apiProperty, fieldSchemas } from '../validation/field.schema.js';
import type { Dto } from '../validation/valid.body.js';

/*
 * A DTO is its own schema in the document. Types, limits and error codes come from the rules of its fields
 * (`validation/field.schema.ts`); the decorators of this file add what a reader needs besides.
 */

/** What a field means, with an example. */
export const Described = (description: string, example?: unknown, omitted?: unknown): PropertyDecorator =>
  ApiProperty({
    description,
    ...(example !== undefined && { examples: [example] }),
    ...(omitted !== undefined && { default: omitted }),
  });

/** On a DTO that extends another: what an inherited field means here. */
export const DescribedHere =
  <Body extends object>(field: keyof Body & string, ...text: Parameters<typeof Described>) =>
  (dto: Dto<Body>): void =>
    describeInherited(dto, field, Described(...text));

/** On a DTO that extends another: the values that its fields have when they are omitted. */
export const DefaultsHere =
  <Body extends object>(values: Readonly<Partial<Record<keyof Body, unknown>>>) =>
  (dto: Dto<Body>): void => {
    for (const [field, value] of Object.entries(values))
      describeInherited(dto, field, ApiProperty({ default: value }));
  };

function describeInherited(dto: Dto<object>, field: string, text: PropertyDecorator): void {
  const prototype = dto.prototype as object;
  const known = fieldSchemas(prototype)[field];
  // Its rules again: where a class has none of its own, @nestjs/swagger takes the type from TypeScript.
  if (known) ApiProperty(apiProperty(known))(prototype, field);
  text(prototype, field);
}

/**
 * Names the schema of a DTO, which takes no other field than its own, and adds the rules over several fields.
 * @throws Error where no rule of a field says its type
 */
export const RequestSchema =
  (name: string, description: string, { atLeastOne = false } = {}) =>
  (dto: Dto<object>): void => {
    const fields = Object.entries(fieldSchemas(dto.prototype as object));
    const untyped = fields.find(([, { value }]) => value.type === undefined);
    if (untyped) throw new Error(`${name}.${untyped[0]}: none of its rules says its type`);
    const rules = [...new Set(fields.flatMap(([, { ofObject }]) => ofObject))];
    const schema = {
      name,
      description,
      additionalProperties: false,
      ...(atLeastOne && { minProperties: 1 }),
      ...(rules.length === 1 ? rules[0] : rules.length > 1 && { allOf: rules }),
    };
    ApiSchema(schema as ApiSchemaOptions)(dto);
  };

/** The codes that an error of a field can have: of a DTO's own fields, and of those of the objects in it. */
export function errorCodes(dto: Dto<object>): readonly number[] {
  const prototype = dto.prototype as object;
  const own = Object.values(fieldSchemas(prototype)).flatMap(({ codes }) => codes);
  const inner = Object.values(nestedFields(prototype)).flatMap(({ type, codeInside }) =>
    errorCodes(type).map((code) =>
      code === ErrorCode.RequestValidationGenericError ? (codeInside ?? code) : code,
    ),
  );
  // Unknown fields and parameters, and errors of several kinds.
  return [...new Set([ErrorCode.RequestValidationGenericError, ...own, ...inner])];
}
