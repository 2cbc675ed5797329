import type { Currency } from '../shared/codes.js';
import type { Cents } from '../shared/money.js';
import type { Event, CommandEventData, OperationEventData } from '../payment/payment.events.js';

/*
 * Storage: these shapes never change (docs/adr/0014). Stream `resolution-<26 characters of the operation's id>`: what
 * operators did about an operation whose outcome nobody knew, before any of it counts. What counts in the end is an
 * outcome in the stream of the payment or token itself, with the operator's name and reason.
 */

export type ResolutionEvent =
  | Event<'InquiryForced', InquiryForced>
  | Event<'ResolutionProposed', ResolutionProposed>
  | Event<'ResolutionConfirmed', ResolutionConfirmed>;

/** What an operator can say of a try. `NotReceived`: the processor never had it, and never will. */
export type ResolutionOutcome = 'Approved' | 'Declined' | 'NotReceived';

/** Whose word it is. Two persons are told apart by their keys: a name can be anybody's. */
export interface OperatorIdentity {
  readonly keyId: string;
  readonly name: string;
}

/** An operator did not want to wait for the next inquiry. */
export interface InquiryForced extends OperationEventData {
  readonly merchantId: string;
  readonly try: number;
  readonly by: OperatorIdentity;
}

/**
 * The first of two operators (`docs/spec/unknown-outcomes.md#confirmation`). It takes the place of an earlier proposal.
 */
export interface ResolutionProposed extends CommandEventData {
  readonly merchantId: string;
  /** Good for this try only: a later one is another question. */
  readonly try: number;
  readonly outcome: ResolutionOutcome;
  readonly reason: string;
  /** Of an approval, as the processor told it to the operator. */
  readonly authCode?: string;
  readonly amount: Cents;
  readonly currency: Currency;
  readonly by: OperatorIdentity;
}

/** The second one says the same. From here on it may be carried out. */
export interface ResolutionConfirmed extends CommandEventData {
  readonly merchantId: string;
  readonly try: number;
  readonly outcome: ResolutionOutcome;
  readonly reason: string;
  readonly authCode?: string;
  readonly amount: Cents;
  readonly currency: Currency;
  readonly by: OperatorIdentity;
  readonly proposedBy: OperatorIdentity;
  readonly proposedAt: string;
}
