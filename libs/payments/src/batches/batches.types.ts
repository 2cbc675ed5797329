import type { Currency } from '@tillstream/domain';
import type { Actor } from '../requests/request.types.js';

/** Closing of batches: at the merchants' cut-offs, and on command. Any number of processes may do it at once. */
export interface Batches {
  /**
   * Closes what a merchant has open now, in one currency or in all, and waits until it is closed, or for `waitMs` of real
   * time. An empty batch stays open. Undefined: no such merchant.
   */
  close(request: CloseRequest): Promise<readonly BatchView[] | CurrencyNotOffered | undefined>;
  /** Undefined: unknown, or never written down. */
  find(batchId: string): Promise<BatchView | undefined>;
  /**
   * Begins the closings that fell due and ends all that are in hand, or watches whoever is at it, until none is left or
   * `withinMs` of real time passed.
   */
  runDue(withinMs: number): Promise<{ readonly ran: number; readonly pending: number }>;
  /** What fell due or is in hand. */
  countDue(): Promise<number>;
  /** While no other process does, looks every second for what is due, and closes at once what any process begins to close. */
  start(): void;
  /** Leaves what is in hand as it is: another goes on. */
  stop(): Promise<void>;
}

export interface CloseRequest {
  readonly actor: Actor;
  readonly merchantId: string;
  /** Left out: all of them. */
  readonly currency?: Currency;
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
  /** Of a batch that is not closed: what waits for it now. */
  readonly transactionCount: number;
  /** Signed cents. */
  readonly amount: number;
  readonly openedAt: string;
  /** Its cut-off, however late the work was done. */
  readonly closedAt?: string;
}
