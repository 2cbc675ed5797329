import type { Currency } from '../shared/codes.js';
import type { BatchClosing, BatchTotals } from './batch.events.js';

export type BatchState = NoBatch | Batch;

export interface NoBatch {
  readonly status: 'None';
}

export interface Batch {
  readonly status: 'Open' | 'Closing' | 'Closed';
  readonly id: string;
  readonly merchantId: string;
  readonly currency: Currency;
  readonly number: number;
  readonly openedAt: string;
  /** The last closing, running or finished. Absent before the first. */
  readonly closing?: Closing;
  /** Of a closed batch. */
  readonly totals?: BatchTotals;
}

export interface Closing extends Pick<BatchClosing, 'cutOffAt' | 'cause'> {
  readonly number: number;
  /** Its start. */
  readonly at: string;
}

export const noBatch: NoBatch = { status: 'None' };
