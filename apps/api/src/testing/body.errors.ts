import { invalidFields } from '../http/api.error.js';
import type { Dto } from '../validation/field.schema.js';
import { validBody } from '../validation/valid.body.js';

/** `2100 accountHolder.id`: the code of the response and the fields that are wrong; `fine` where none is. */
export function bodyErrors(dto: Dto<object>, json: object): string {
  const { errors } = validBody(dto, json as Readonly<Record<string, unknown>>);
  if (errors.length === 0) return 'fine';
  return [invalidFields(errors).code, ...errors.map(({ field }) => field)].join(' ');
}
