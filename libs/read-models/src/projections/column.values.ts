import type { FacetColumn } from './table.shape.js';

export const text = (name: string): FacetColumn => ({ name, type: 'text' });
export const integer = (name: string): FacetColumn => ({ name, type: 'integer' });

/** Absent values of facet columns. */
export const NO_TEXT = '';
export const NO_NUMBER = -1;
/** The `amount` of an operation without one. It sorts below every amount. */
export const NO_AMOUNT = -1;

/** The `merchant_id` of every row in a list that only operators read. */
export const OPERATORS = 'operators';
