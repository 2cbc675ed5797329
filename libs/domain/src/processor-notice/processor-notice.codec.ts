import { eventCodec } from '../shared/codec.js';
import type { NoticeEvent } from './processor-notice.events.js';

/** Every type, with what lifts its older versions. Frozen examples of each version are in `fixtures/`. */
export const noticeCodec = eventCodec<NoticeEvent>({ types: { NoticeReceived: [], NoticeApplied: [] } });

export const NOTICE_CATEGORY = 'processornotice';

export type NoticeId = `ntc_${string}`;

/** The stream of a notice's id. */
export function streamOfNotice(id: NoticeId): string {
  return `${NOTICE_CATEGORY}-${id.slice('ntc_'.length)}`;
}

export function noticeIdOfStream(stream: string): NoticeId {
  return `ntc_${stream.slice(NOTICE_CATEGORY.length + 1)}`;
}
