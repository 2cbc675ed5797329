import type { TransactionResult, TransactionType } from './transaction.result.js';

/** The decisions that an operator can make about an unknown outcome. */
export type ResolutionOutcome = 'Approved' | 'Declined' | 'NotReceived';

/** An operation with an unknown outcome (`docs/spec/unknown-outcomes.md#operators`). */
export interface UnknownOutcome {
  transactionId: string;
  merchantId: string;
  /** `Reversal` *ext*: the service's own, which merchants do not see. */
  type: TransactionType | 'Reversal';
  /** Cents; absent on an operation on a stored card. */
  amount?: number;
  currency: string;
  since: string;
  inquiries: number;
  /** Absent if the operation waits for an operator. */
  nextInquiryAt?: string;
  /** *ext*: one operator's resolution, which a second has to confirm. */
  proposal?: ResolutionProposal;
}

export interface ResolutionProposal {
  outcome: ResolutionOutcome;
  reason: string;
  authCode?: string;
  proposedBy: string;
  proposedAt: string;
}

/**
 * The result of a forced inquiry or manual resolution. `Unknown`: the inquiry gave no outcome. `AwaitingConfirmation`:
 * no effect yet; an operator with another key has to confirm.
 */
export type UnknownOutcomeState = 'Unknown' | 'AwaitingConfirmation' | 'Known';

export interface UnknownOutcomeAnswer extends UnknownOutcome {
  state: UnknownOutcomeState;
  /** The transaction for its merchant; absent for a reversal. */
  transaction?: TransactionResult;
}
