import type { FacetColumn } from './table.shape.js';

export const text = (name: string): FacetColumn => ({ name, type: 'text' });
export const integer = (name: string): FacetColumn => ({ name, type: 'integer' });

/** What is absent in a facet's column of this type. */
export const NO_TEXT = '';
export const NO_NUMBER = -1;
/** Stands in `amount` where an operation has none: it sorts below every amount. */
export const NO_AMOUNT = -1;

/** The owner of every row of a list that is the operators'. */
export const OPERATORS = 'operators';
