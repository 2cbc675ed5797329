import { ApiProperty, ApiSchema, type ApiPropertyOptions, type ApiSchemaOptions } from '@nestjs/swagger';
import { ErrorCode } from '@tillstream/contracts';
import { needsAtLeastOneField } from '../validation/body.check.js';
import { fieldSchemas, nestedFields, type Dto } from '../validation/field.schema.js';

/*
 * A DTO is its own schema in the document. Types, limits and error codes come from the rules of its fields
 * (`validation/field.schema.ts`); the decorators of this file add what a reader needs besides.
 */

/** The meaning of a field, with an example. */
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
    Described(...text)(dto.prototype as object, field);

/** On a DTO that extends another: the values that its fields have when they are omitted. */
export const DefaultsHere =
  <Body extends object>(values: Readonly<Partial<Record<keyof Body, unknown>>>) =>
  (dto: Dto<Body>): void => {
    for (const [field, value] of Object.entries(values))
      ApiProperty({ default: value })(dto.prototype as object, field);
  };

/**
 * Names the schema of a DTO, which takes no other field than its own. The rules that validate its fields, inherited ones
 * too, become their schemas. Of the class decorators of a DTO it is the last one, so that it stands first.
 * @throws Error where no rule of a field says its type
 */
export const RequestSchema =
  (name: string, description: string) =>
  (dto: Dto<object>): void => {
    const prototype = dto.prototype as object;
    const fields = Object.entries(fieldSchemas(prototype));
    const nested = nestedFields(prototype);
    const untyped = fields.find(([, { value }]) => value.type === undefined && !value.anyOf);
    if (untyped) throw new Error(`${name}.${untyped[0]}: none of its rules says its type`);
    for (const [field, { value, required }] of fields) {
      const inner = nested[field];
      const type = inner && {
        type: () => inner.type,
        ...(inner.listMax !== undefined && { isArray: true }),
      };
      ApiProperty({ ...value, ...type, required } as ApiPropertyOptions)(prototype, field);
    }
    const rules = [...new Set(fields.flatMap(([, { ofObject }]) => ofObject))];
    const schema = {
      name,
      description,
      additionalProperties: false,
      ...(needsAtLeastOneField(dto) && { minProperties: 1 }),
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
