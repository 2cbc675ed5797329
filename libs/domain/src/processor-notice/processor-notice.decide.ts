import { accepted, type Decision } from '../shared/decision.js';
import type { NoticeApplied, NoticeEvent, NoticeReceived } from './processor-notice.events.js';

export type NoticeState =
  | { readonly status: 'None' }
  | { readonly status: 'Received'; readonly notice: NoticeReceived }
  | { readonly status: 'Applied'; readonly notice: NoticeReceived };

export const noNotice: NoticeState = { status: 'None' };

export type NoticeDecision = Decision<NoticeEvent, never>;

export function foldNotice(events: Iterable<NoticeEvent>, from: NoticeState = noNotice): NoticeState {
  let state = from;
  for (const event of events) {
    if (event.type === 'NoticeReceived') state = { status: 'Received', notice: event.data };
    else if (state.status === 'Received') state = { status: 'Applied', notice: state.notice };
  }
  return state;
}

/** Stored once, however often it is sent. */
export function receiveNotice(state: NoticeState, notice: NoticeReceived): NoticeDecision {
  return accepted(state.status === 'None' ? [{ type: 'NoticeReceived', data: notice }] : [], undefined);
}

/** Applying it to the payment is repeatable, so this may come late or not at all. */
export function markNoticeApplied(state: NoticeState, applied: NoticeApplied): NoticeDecision {
  return accepted(state.status === 'Received' ? [{ type: 'NoticeApplied', data: applied }] : [], undefined);
}
