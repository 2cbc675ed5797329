import type { Cents, Channel, Currency, ProcessorOperation } from '@tillstream/domain';
import type { DefiniteResponse } from '../processor.port.js';

/*
 * What a processor says it did, as its daily files have it. Each processor's file has a form of its own and a reader that
 * makes these records.
 */

interface RecordBase {
  readonly merchantId: string;
  readonly currency: Currency;
  /** Real time, ms. */
  readonly at: number;
}

/** A key that the processor answered: it executed it, or declined it. */
export interface AttemptRecord extends RecordBase {
  readonly kind: 'Attempt';
  /** `<operation id>.<attempt>`. */
  readonly key: string;
  readonly executedAs: ProcessorOperation;
  readonly account: string;
  readonly channel: Channel;
  /** As requested, cents. */
  readonly amount: Cents;
  /** Of a capture, void, refund or reversal: the key of its original. */
  readonly originalKey?: string;
  readonly terminalId?: string;
  readonly answer: DefiniteResponse;
}

/** A card was verified with 0.00, so that it could be stored. */
export interface VerificationRecord extends RecordBase {
  readonly kind: 'Verification';
  readonly key: string;
  readonly isApproved: boolean;
}

/** A bank took a payment back. */
export interface ReturnRecord extends RecordBase {
  readonly kind: 'Return';
  readonly returnId: string;
  readonly originalKey: string;
  readonly amount: Cents;
  /** R01 … */
  readonly code: string;
  readonly reason: string;
}

export type ProcessorRecord = AttemptRecord | VerificationRecord | ReturnRecord;

/** A daily file. The records of one payment are together, its attempts by key and its returns last. */
export interface ProcessorRecords {
  /** What the processor did from `from` on and before `to`. Real time, ms. */
  readonly from: number;
  readonly to: number;
  records(): AsyncIterable<ProcessorRecord>;
}
