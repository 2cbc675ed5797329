import type { ErrorDetail } from '@tillstream/contracts';
import { invalidField } from '../../validation/body.check.js';

/** @param when the condition under which the form requires the field */
export function missingField(field: string, when: string): ErrorDetail {
  return invalidField(field, `${field} is missing.`, `received nothing, required ${when}`);
}
