import type { Cents, Currency, EntryMode, ResultCode } from '@tillstream/domain';
import type { CardOperation, HostResponse } from '../acquirer/acquirer.types.js';

export const CUSTOMER_ACTIONS = ['Tap', 'Insert', 'Swipe', 'Pin', 'Cancel'] as const;
export type CustomerAction = (typeof CUSTOMER_ACTIONS)[number];

/**
 * What a customer does at a terminal. `Tap`, `Insert` and `Swipe` present a card: `card`, else the terminal's own. A
 * `pin` beside it is typed at once. `Pin` where no card was presented inserts one first.
 */
export interface CustomerAct {
  readonly action: string;
  /** A number of the table that terminals take, or a name. */
  readonly card?: string | undefined;
  readonly pin?: string | undefined;
}

/** Those that present a card, and how a receipt names that. */
export const ENTRY_MODES: Readonly<Record<'Tap' | 'Insert' | 'Swipe', EntryMode>> = {
  Tap: 'Contactless',
  Insert: 'Chip',
  Swipe: 'Swipe',
};

export interface ShownTransaction {
  readonly transactionId: string;
  readonly operation: CardOperation;
  readonly amount: Cents;
  readonly currency: Currency;
}

/** What somebody sees who stands before a terminal. */
export type TerminalScreen =
  | { readonly kind: 'Idle' }
  /** `endsAt`: by the service's clock, ms; then it has taken too long. */
  | (ShownTransaction & { readonly kind: 'AwaitsCard' | 'AwaitsPin'; readonly endsAt: number })
  | (ShownTransaction & { readonly kind: 'Processing' })
  /** `at`: real time, ms. Without an answer and a result code: the host never answered, or the till took it back. */
  | (ShownTransaction & {
      readonly kind: 'Ended';
      readonly at: number;
      readonly answer?: HostResponse;
      readonly resultCode?: ResultCode;
      readonly takenBack?: true;
    });
