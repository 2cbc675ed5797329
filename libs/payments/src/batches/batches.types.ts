import type { Currency } from '@tillstream/domain';
import type { Actor } from '../requests/request.types.js';

/** Closes batches at the merchants' cut-offs and on an operator's command. Several processes may do so at a time. */
export interface Batches {
  /**
   * Closes a merchant's open batches, in one currency or in all, and waits until they are closed, at most `waitMs`. An
   * empty batch stays open. Undefined if the merchant does not exist.
   */
  close(request: CloseRequest): Promise<readonly BatchView[] | CurrencyNotOffered | undefined>;
  /** Undefined if no stream has the batch. */
  find(batchId: string): Promise<BatchView | undefined>;
  /**
   * Closes every batch that is due or in the status `Closing`, or waits while another process does, at most `withinMs` of
   * real time.
   */
  runDue(withinMs: number): Promise<{ readonly ran: number; readonly pending: number }>;
  /** How many batches are due or in the status `Closing`. */
  countDue(): Promise<number>;
  /** While this process leads, it looks for due batches every second, and closes at once what any process starts to close. */
  start(): void;
  /** Stops between two items. Another process continues the closing. */
  stop(): Promise<void>;
}

export interface CloseRequest {
  readonly actor: Actor;
  readonly merchantId: string;
  /** Default: all currencies. */
  readonly currency?: Currency;
  /** Real time. */
  readonly waitMs: number;
  readonly traceId?: string;
}

export interface CurrencyNotOffered {
  readonly kind: 'CurrencyNotOffered';
  readonly offered: readonly Currency[];
}

export interface BatchView {
  readonly id: string;
  readonly merchantId: string;
  readonly currency: Currency;
  readonly status: 'Open' | 'Closing' | 'Closed';
  /** Of a batch that is not closed: the items that wait for it now. */
  readonly transactionCount: number;
  /** Signed cents. */
  readonly amount: number;
  readonly openedAt: string;
  /** The cut-off, even if the closing ended later. */
  readonly closedAt?: string;
}
