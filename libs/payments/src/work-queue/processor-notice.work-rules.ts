import type { NoticeEvent, NoticeId } from '@tillstream/domain';
import type { WorkItemChange } from './work-queue.port.js';
import { removeWorkItem, putWorkItem } from './work-item.changes.js';

/** A stored notice is due at once; what was applied is done. */
export function noticeWorkChanges({ type, data }: NoticeEvent, id: NoticeId): WorkItemChange[] {
  const since = Date.parse(data.at);
  return type === 'NoticeReceived'
    ? [putWorkItem('Notice', id, 'Service', since, since)]
    : [removeWorkItem('Notice', id)];
}
