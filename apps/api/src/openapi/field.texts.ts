import { SAMPLE } from './samples.js';

/* Texts and examples of fields that several requests have (`docs/spec/README.md#field-types`): arguments of `@Described`. */

export const AMOUNT = ['In the smallest unit of the currency: 1250 is $12.50.', 1250] as const;

export const BREAKDOWN = ['The parts of `amount`, for reports; they must sum to it.'] as const;

export const REFERENCE_ID = [
  'Your own name for it, one per transaction; left out, one is made. It is no idempotency key: the same one twice is ' +
    'two transactions.',
  'order-1001',
] as const;

export const INVOICE_NUMBER = ['Given back in the answer.', 'A1001'] as const;
export const ORDER_NUMBER = ['Given back in the answer.', 'O77'] as const;

export const TERMINAL_ID = [
  'A terminal of `GET /payment-methods`. Left out: the default one, else the only one; where there is neither, it is ' +
    'required.',
  SAMPLE.terminal,
] as const;

export const DESCRIPTION = ['A name for people.', 'Visa of Ann'] as const;
