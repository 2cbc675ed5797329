import type { NoticeEvent, NoticeId } from '@tillstream/domain';
import type { WorkChange } from '../open-work.port.js';
import { over, put } from './work.change.js';

/** A stored notice is due at once; what was applied is done. */
export function workOfNotice({ type, data }: NoticeEvent, id: NoticeId): WorkChange[] {
  const since = Date.parse(data.at);
  return type === 'NoticeReceived' ? [put('Notice', id, 'Service', since, since)] : [over('Notice', id)];
}
