import type { TransactionResult, TransactionType } from './transaction.result.js';

/** What an operator can say of an operation whose outcome nobody knows. */
export type ResolutionOutcome = 'Approved' | 'Declined' | 'NotReceived';

/** An operation whose outcome nobody knows (`docs/spec/unknown-outcomes.md#operators`). */
export interface UnknownOutcome {
  transactionId: string;
  merchantId: string;
  /** `Reversal` *ext*: one of the service's own, which no merchant's list shows. */
  type: TransactionType | 'Reversal';
  /** Cents; absent on an operation on a stored card. */
  amount?: number;
  currency: string;
  since: string;
  inquiries: number;
  /** Absent: it waits for an operator. */
  nextInquiryAt?: string;
  /** *ext*: what one operator said, and a second has to confirm. */
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
 * What came of an operator's inquiry or word. `Unknown`: the inquiry did not tell. `AwaitingConfirmation`: nothing was
 * done yet; another operator, with a key of its own, has to say the same.
 */
export type UnknownOutcomeState = 'Unknown' | 'AwaitingConfirmation' | 'Known';

export interface UnknownOutcomeAnswer extends UnknownOutcome {
  state: UnknownOutcomeState;
  /** As its merchant sees it now; absent on a reversal. */
  transaction?: TransactionResult;
}
