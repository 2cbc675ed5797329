import type { AttemptResponse } from '../payment/attempt.response.js';
import type { Encrypted, Event, OperationEventData, ThreeDsFacts } from '../payment/payment.events.js';
import type { Cents } from '../shared/money.js';

/*
 * Storage: these shapes never change. Stream `processornotice-<root>`: one message that a processor, a bank or a 3-D
 * Secure server sent on its own. It is stored before it is acknowledged, and applied to its payment afterwards.
 */

export type NoticeEvent = Event<'NoticeReceived', NoticeReceived> | Event<'NoticeApplied', NoticeApplied>;

export interface NoticeReceived extends OperationEventData {
  /** `ntc_…`. */
  readonly id: string;
  readonly processor: string;
  /** The sender's own id of the message: the same message sent again has the same. */
  readonly noticeId: string;
  readonly merchantId: string;
  readonly try: number;
  readonly content: NoticeContent;
}

export type NoticeContent =
  /** The answer to an attempt that was submitted, challenged or not answered in time. */
  | { readonly kind: 'Answered'; readonly answer: AttemptResponse }
  /** A bank took the money back. `code`: R01 … */
  | {
      readonly kind: 'Returned';
      readonly returnId: string;
      readonly code: string;
      readonly reason: string;
      readonly amount: Cents;
    }
  /** A bank corrects an account's data. `code`: C01 … */
  | { readonly kind: 'NoticeOfChange'; readonly code: string; readonly corrected: Encrypted }
  | {
      readonly kind: 'ChargedBack';
      readonly chargebackId: string;
      readonly reason: string;
      readonly amount: Cents;
      readonly reference?: string;
    }
  /** The cardholder is done; the answer to the attempt follows. */
  | { readonly kind: 'ChallengeDone'; readonly challengeId: string; readonly threeDs: ThreeDsFacts };

export interface NoticeApplied extends OperationEventData {
  readonly id: string;
  /** `Repeated`: the payment's history said it already. `Ignored`: the payment's state has no use for it. */
  readonly result: 'Recorded' | 'Repeated' | 'Ignored';
}
