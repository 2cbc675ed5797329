import type { Cents, Currency, EntryMode, ResultCode } from '@tillstream/domain';
import type { CardOperation, HostResponse } from '../acquirer/acquirer.types.js';

export const CUSTOMER_ACTIONS = ['Tap', 'Insert', 'Swipe', 'Pin', 'Cancel'] as const;
export type CustomerAction = (typeof CUSTOMER_ACTIONS)[number];

/**
 * An action of a customer at a terminal. `Tap`, `Insert` and `Swipe` present `card`, by default the terminal's card, and type
 * `pin` if there is one. `Pin` without a presented card inserts one first.
 */
export interface CustomerAct {
  readonly action: string;
  /** The number of a card that terminals take, or a name. */
  readonly card?: string | undefined;
  readonly pin?: string | undefined;
}

/** The entry mode of each action that presents a card. */
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

export type TerminalScreen =
  | { readonly kind: 'Idle' }
  /** `endsAt`: the customer's time limit, by the service's clock, ms. */
  | (ShownTransaction & { readonly kind: 'AwaitsCard' | 'AwaitsPin'; readonly endsAt: number })
  | (ShownTransaction & { readonly kind: 'Processing' })
  /** `at`: real time, ms. Without `answer` and `resultCode` the host did not answer, or the transaction was annulled. */
  | (ShownTransaction & {
      readonly kind: 'Ended';
      readonly at: number;
      readonly answer?: HostResponse;
      readonly resultCode?: ResultCode;
      readonly takenBack?: true;
    });
