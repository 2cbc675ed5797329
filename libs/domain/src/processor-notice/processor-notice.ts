import type { AttemptEventData, AttemptResponse } from '../attempt/index.js';
import { accepted, eventCodec, foldOf, type Decision, type Event } from '../shared/aggregate.js';
import type { OperationEventData } from '../shared/event.shapes.js';
import type { PaymentEvents } from '../payment/payment.events.js';

/*
 * One message that a processor, a bank or a 3-D Secure server sent on its own. The service stores it before it
 * acknowledges it, and applies it to the payment afterwards.
 */

export const NOTICE_CATEGORY = 'processornotice';

export type NoticeId = `ntc_${string}`;

export function streamOfNotice(id: NoticeId): string {
  return `${NOTICE_CATEGORY}-${id.slice('ntc_'.length)}`;
}

export function noticeIdOfStream(stream: string): NoticeId {
  return `ntc_${stream.slice(NOTICE_CATEGORY.length + 1)}`;
}

/** Storage: these shapes never change. */
export type NoticeEvent = Event<'NoticeReceived', NoticeReceived> | Event<'NoticeApplied', NoticeApplied>;

export interface NoticeReceived extends AttemptEventData {
  /** `ntc_…`. */
  readonly id: string;
  readonly processor: string;
  /** The sender's own id of the message; a repeated message has the same id. */
  readonly noticeId: string;
  readonly merchantId: string;
  readonly content: NoticeContent;
}

/** The facts of a kind are those of the event that it becomes in the payment's stream. */
export type NoticeContent =
  /** The answer to an attempt that was submitted, challenged or not answered in time. Never has a card number. */
  | { readonly kind: 'Answered'; readonly answer: AttemptResponse }
  /** A bank took the money back. */
  | ({ readonly kind: 'Returned' } & Facts<'BankReturned'>)
  /** A bank corrects an account's data. */
  | ({ readonly kind: 'NoticeOfChange' } & Omit<Facts<'NoticeOfChangeReceived'>, 'noticeId'>)
  | ({ readonly kind: 'ChargedBack' } & Facts<'ChargebackReceived'>)
  /** The cardholder finished the challenge. The answer to the attempt follows, or an inquiry finds it. */
  | ({ readonly kind: 'ChallengeDone' } & Omit<Facts<'ChallengeEnded'>, 'try' | 'resumes'>);

type Facts<Type extends keyof PaymentEvents> = Omit<PaymentEvents[Type], keyof OperationEventData>;

export interface NoticeApplied extends OperationEventData {
  readonly id: string;
  /** `Repeated`: the payment's history has the fact already. `Ignored`: the payment's state does not use it. */
  readonly result: 'Recorded' | 'Repeated' | 'Ignored';
}

/** Frozen examples of each version are in `fixtures/`. */
export const noticeCodec = eventCodec<NoticeEvent>({ types: { NoticeReceived: [], NoticeApplied: [] } });

export type NoticeState =
  { readonly status: 'None' } | { readonly status: 'Received' | 'Applied'; readonly notice: NoticeReceived };

export const noNotice: NoticeState = { status: 'None' };

export type NoticeDecision = Decision<NoticeEvent, never>;

/** Stores the notice once, even if the processor sends it again. */
export function receiveNotice(state: NoticeState, notice: NoticeReceived): NoticeDecision {
  return accepted(state.status === 'None' ? [{ type: 'NoticeReceived', data: notice }] : [], undefined);
}

/** The resolver may apply a notice twice without harm, so this event may come late or not at all. */
export function markNoticeApplied(state: NoticeState, applied: NoticeApplied): NoticeDecision {
  return accepted(state.status === 'Received' ? [{ type: 'NoticeApplied', data: applied }] : [], undefined);
}

export const foldNotice = foldOf<NoticeState, NoticeEvent>(evolve, noNotice);

function evolve(state: NoticeState, event: NoticeEvent): NoticeState {
  if (event.type === 'NoticeReceived') return { status: 'Received', notice: event.data };
  return state.status === 'Received' ? { status: 'Applied', notice: state.notice } : state;
}
