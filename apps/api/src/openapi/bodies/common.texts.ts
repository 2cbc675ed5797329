import type { FieldText } from '../request.schema.js';
import { SAMPLE } from '../samples.js';

/* Fields that several requests have (`docs/spec/README.md#field-types`). */

export const AMOUNT: FieldText = {
  description: 'In the smallest unit of the currency: 1250 is $12.50.',
  example: 1250,
};

export const REFERENCE_ID: FieldText = {
  description:
    'Your own name for it, one per transaction; left out, one is made. It is no idempotency key: the same one twice is ' +
    'two transactions.',
  example: 'order-1001',
};

export const INVOICE_NUMBER: FieldText = { description: 'Given back in the answer.', example: 'A1001' };
export const ORDER_NUMBER: FieldText = { description: 'Given back in the answer.', example: 'O77' };

export const TERMINAL_ID: FieldText = {
  description:
    'A terminal of `GET /payment-methods`. Left out: the default one, else the only one; where there is neither, it is ' +
    'required.',
  example: SAMPLE.terminal,
};

export const DESCRIPTION: FieldText = { description: 'A name for people.', example: 'Visa of Ann' };
