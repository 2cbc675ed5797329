import type { Cents } from '@tillstream/domain';
import type { HostResponse } from '../acquirer/acquirer.types.js';
import type { ReturnCode } from './return-codes.table.js';

/** A message that the bank sends on its own. It sends some of them twice, and out of order. */
export interface BankMessage {
  /** A repeated message has the same id. */
  readonly id: string;
  /** Of the payment or refund that the message is about. */
  readonly key: string;
  readonly content: BankMessageContent;
}

export type BankMessageContent =
  /** The bank's answer. A stale message still says `Submitted`. */
  | { readonly kind: 'Answered'; readonly answer: HostResponse }
  /** The bank took the money of an approved payment back. `returnId`: also the key of the ledger's movement. */
  | {
      readonly kind: 'Returned';
      readonly returnId: string;
      readonly code: ReturnCode;
      readonly reason: string;
      readonly amount: Cents;
    }
  | {
      readonly kind: 'NoticeOfChange';
      readonly code: string;
      readonly corrected: { readonly accountNumber: string };
    };

/** What became of claimed messages, by id. */
export interface DeliveredMessages {
  /** Stored by the receiver: the bank forgets them. */
  readonly acknowledged: readonly string[];
  /** Not stored: the bank sends them again soon. */
  readonly refused: readonly string[];
}
