import { NOT_YET } from '../projections/column.values.js';
import type { ProjectionName } from '../read-models.types.js';
import { MERCHANT } from './many.transactions.js';

/*
 * Rows of a busy merchant as SQL, for tables that are too large to be made row by row. `n` counts rows from 0. A rare value
 * and a settlement have as many rows in a small table as in a large one.
 */

export interface ManyRows {
  /** By family: its combinations of values, and the number of the row's combination, from 1. */
  readonly families: Readonly<Record<string, FacetRows>>;
  /** An expression for each other column that is not null. */
  readonly columns: Readonly<Record<string, string>>;
}

export interface FacetRows {
  readonly values: readonly (readonly (string | number)[])[];
  readonly chosen: string;
}

/** An expression for a text: the prefix, and a number (an expression) of 26 digits. */
export type NumberedId = (prefix: string, number: string) => string;

/** Rows with each rare value. */
const RARE_ROWS = 40;
/** Items of a settlement. */
const PER_SETTLEMENT = 5_000;
const DAY_MS = 86_400_000;
const BEGAN = Date.parse('2026-01-05T08:00:00.000Z');
const RANDOM_BITS = 20;

/** The settlement of a middle row, and an id that each of its labels has. */
export const manyRowsIds = (count: number) => {
  const settlement = Math.floor(count / PER_SETTLEMENT / 2);
  const padded = String(settlement).padStart(26, '0');
  return {
    settlementId: `stl_${padded}`,
    batchId: `bat_${padded}`,
    transactionId: `trx_${String(Math.floor(count / 2)).padStart(26, '0')}`,
    /** RFC 3339: the day of the settlement. */
    from: new Date(BEGAN + settlement * DAY_MS).toISOString(),
    to: new Date(BEGAN + (settlement + 1) * DAY_MS).toISOString(),
  };
};

/** A value in the middle of the rows in the order of a column. */
export function middleOf(projection: ProjectionName, column: string, count: number): number {
  if (column === 'amount') return 100 + 50_000;
  const step = STEPS[projection] ?? DAY_MS / PER_SETTLEMENT;
  return BEGAN + Math.floor(count / 2) * step;
}

/** Ms from row to row, on average. */
const STEPS: Readonly<Record<string, number>> = { transactions: 50, settlements: 1_000 };

/** @param numberedId in the SQL of the database; everything else is the same in all */
export function manyRows(projection: ProjectionName, count: number, numberedId: NumberedId): ManyRows {
  const rows = MANY_ROWS[projection];
  if (!rows) throw new RangeError(`there are no many rows of ${projection}`);
  return rows(`(n % ${Math.max(Math.floor(count / RARE_ROWS), 1)} = 7)`, (prefix, number = 'n') =>
    numberedId(prefix, number),
  );
}

type Id = (prefix: string, number?: string) => string;

/** An expression for a text with the values of expressions in it. */
const json = (texts: TemplateStringsArray, ...expressions: string[]): string =>
  texts
    .map((text, index) => `'${text}'${index < expressions.length ? ` || ${expressions[index]} || ` : ''}`)
    .join('');
/** An integer of `RANDOM_BITS` bits. */
const random = (salt: number): string =>
  `((((n + 1) * 2654435761 + ${salt} * 2246822519) >> 7) & ${2 ** RANDOM_BITS - 1})`;
const AMOUNT = `100 + ${random(1)} % 100000`;
const SETTLED_AT = `${BEGAN} + n / ${PER_SETTLEMENT} * ${DAY_MS}`;
const SETTLEMENT = `n / ${PER_SETTLEMENT}`;
/** The first choice whose share (of 1) the random number is below. */
function chosen(isRare: string, rare: number, shares: readonly number[]): string {
  let below = 0;
  const cases = shares.map((share, index) => {
    below += share * 2 ** RANDOM_BITS;
    return `when ${random(2)} < ${Math.round(below)} then ${index + 1}`;
  });
  return `case when ${isRare} then ${rare} ${cases.join(' ')} else 1 end`;
}

const MANY_ROWS: Readonly<Record<string, (isRare: string, id: Id) => ManyRows>> = {
  settlements: (isRare, id) => ({
    families: {
      facet: {
        values: [
          [MERCHANT, 'USD', 'Funded'],
          [MERCHANT, 'CAD', 'Funded'],
          [MERCHANT, 'USD', 'Pending'],
        ],
        chosen: chosen(isRare, 3, [0.9, 0.1]),
      },
    },
    columns: {
      id: id('stl_'),
      revision: '2',
      created_at: `${BEGAN} + n * 1000`,
      amount: AMOUNT,
      funded_at: `case when ${isRare} then ${NOT_YET} else ${BEGAN + DAY_MS} + n * 1000 end`,
      body: json`{"id":"${id('stl_')}","currency":"USD","status":"Funded"}`,
      lines: `'[]'`,
      funding_due_at: `case when ${isRare} then ${BEGAN} + n * 1000 end`,
    },
  }),
  settled_transactions: (isRare, id) => ({
    families: {
      facet: {
        values: [
          [MERCHANT, 'Sale'],
          [MERCHANT, 'Capture'],
          [MERCHANT, 'Refund'],
          [MERCHANT, 'Chargeback'],
        ],
        chosen: chosen(isRare, 4, [0.8, 0.12, 0.08]),
      },
    },
    columns: {
      id: id('trx_'),
      revision: '0',
      created_at: SETTLED_AT,
      amount: AMOUNT,
      transaction_id: id('trx_'),
      settlement_id: id('stl_', SETTLEMENT),
      batch_id: id('bat_', SETTLEMENT),
      body: json`{"settlement":{"id":"${id('stl_', SETTLEMENT)}"},"transactionId":"${id('trx_')}","transactionType":"Sale","currency":"USD","cardType":"VISA"}`,
    },
  }),
  fee_charges: (isRare, id) => ({
    families: {
      facet: {
        values: [
          [MERCHANT, 'Charged', 'Transaction'],
          [MERCHANT, 'Charged', 'Chargeback'],
          [MERCHANT, 'Charged', 'Monthly'],
        ],
        chosen: chosen(isRare, 3, [0.95, 0.05]),
      },
    },
    columns: {
      id: id('fee_'),
      revision: '0',
      charged_at: SETTLED_AT,
      amount: AMOUNT,
      created_at: SETTLED_AT,
      settlement_id: id('stl_', SETTLEMENT),
      body: json`{"id":"${id('fee_')}","source":"Transaction","status":"Charged","currency":"USD","feeBreakdown":[]}`,
    },
  }),
  transactions: (isRare, id) => ({
    families: {
      card_facet: {
        values: [
          [MERCHANT, 'VISA', 'USD'],
          [MERCHANT, 'MASTERCARD', 'USD'],
          [MERCHANT, 'AMEX', 'USD'],
          [MERCHANT, 'INTERAC', 'CAD'],
        ],
        chosen: chosen(isRare, 4, [0.6, 0.3, 0.1]),
      },
      outcome_facet: {
        values: [
          [MERCHANT, 'Sale', 'Completed', 1],
          [MERCHANT, 'Auth', 'Completed', 1],
          [MERCHANT, 'Sale', 'Completed', 10],
          [MERCHANT, 'Sale', 'Interrupted', 0],
        ],
        chosen: chosen(isRare, 4, [0.8, 0.12, 0.08]),
      },
    },
    columns: {
      id: id('trx_'),
      revision: '3',
      created_at: `${BEGAN} + n * 50`,
      updated_at: `${BEGAN} + n * 50 + ${random(3)} % 5000`,
      amount: AMOUNT,
      settlement_id: id('stl_', SETTLEMENT),
      body: json`{"id":"${id('trx_')}","type":"Sale","status":"Completed","resultCode":0,"currency":"USD"}`,
      channel: `'CardPresent'`,
    },
  }),
};
