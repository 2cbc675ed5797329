import type { NoticeEvent, NoticeId } from '@tillstream/domain';
import type { WorkItemChange } from './work-queue.port.js';
import { removeWorkItem, putWorkItem } from './work-item.changes.js';

/** A stored notice is due at once. An applied notice leaves no work. */
export function noticeWorkChanges({ type, data }: NoticeEvent, id: NoticeId): WorkItemChange[] {
  const since = Date.parse(data.at);
  return type === 'NoticeReceived'
    ? [putWorkItem({ kind: 'Notice', subject: id, clock: 'Service', dueAt: since, since })]
    : [removeWorkItem('Notice', id)];
}
