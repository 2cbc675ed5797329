import {
  HOLDER_CATEGORY,
  holderCodec,
  NOTICE_CATEGORY,
  noticeCodec,
  noticeIdOfStream,
  paymentCodec,
  PAYMENT_CATEGORY,
  TOKEN_CATEGORY,
  tokenCodec,
  UnknownEvent,
} from '@tillstream/domain';
import type { HeaderConsumer } from '@tillstream/event-consumers';
import { historyWitness, type RecordedEvent } from '@tillstream/event-store';
import { fromRecorded, eventMetadata } from '../stream-repository/event-metadata.js';
import type { WorkItemChange } from './work-queue.port.js';
import type { Timings } from '../timings.js';
import { noticeWorkChanges } from './processor-notice.work-rules.js';
import { holderWorkChanges, tokenWorkChanges } from './token.work-rules.js';
import { paymentWorkChanges } from './payment.work-rules.js';
import { readEvents, selectPageToRead } from './event-headers.page.js';
import type { Ports } from '../parts.js';

/** The categories of the streams that the resolver reads. */
export const WORK_CATEGORIES: readonly string[] = [
  PAYMENT_CATEGORY,
  TOKEN_CATEGORY,
  HOLDER_CATEGORY,
  NOTICE_CATEGORY,
];

/** In a large page most payments start and end, so that they never touch the work queue. */
const HEADERS_MAX = 1_000;
/** Waits for the end of payments that have just started, for the same reason. */
const WAKE_UP_DELAY_MS = 250;

/**
 * Keeps the work queue up to date. Work that starts and ends within a page never touches it. `changed` is called after a
 * change: an item may be due at once.
 */
export function workQueueConsumer(
  { store, workQueue, timings }: Pick<Ports, 'store' | 'workQueue' | 'timings'>,
  changed: () => void,
): HeaderConsumer {
  return {
    name: 'open-work',
    categories: WORK_CATEGORIES,
    pageSize: HEADERS_MAX,
    wakeUpDelayMs: WAKE_UP_DELAY_MS,
    reads: 'Headers',
    checkpoint: () => workQueue.checkpoint(),
    reset: () => workQueue.reset(),
    isPermanent: (error) => error instanceof UnknownEvent,
    async handle({ items, from }) {
      const page = selectPageToRead(items);
      const changes = workItemChanges(await readEvents(store, page), timings);
      if (!(await workQueue.advance(changes, from, historyWitness(page.last)))) return { kind: 'Fenced' };
      if (changes.length > 0) changed();
      return { kind: 'Moved', to: page.last.position };
    },
  };
}

/** The last change of each work item, in the order of the first changes, and then every count. */
export function workItemChanges(events: readonly RecordedEvent[], timings: Timings): WorkItemChange[] {
  const last = new Map<string, WorkItemChange>();
  const counts: WorkItemChange[] = [];
  for (const recorded of events) {
    const { merchantId } = eventMetadata(recorded);
    for (const change of changesOfEvent(recorded, timings)) {
      if (change.kind === 'Put')
        last.set(change.work.id, { kind: 'Put', work: { ...change.work, merchantId } });
      else if (change.kind === 'Remove') last.set(change.id, change);
      else counts.push(change);
    }
  }
  return [...last.values(), ...counts];
}

/** Depends on the event alone, so that the work queue can be rebuilt from the events. */
function changesOfEvent(recorded: RecordedEvent, timings: Timings): WorkItemChange[] {
  const { stream } = recorded;
  const realTime = Date.parse(eventMetadata(recorded).realTime);
  const dash = stream.indexOf('-');
  switch (stream.slice(0, dash)) {
    case TOKEN_CATEGORY:
      return tokenWorkChanges(fromRecorded(tokenCodec, recorded), realTime, timings);
    case HOLDER_CATEGORY:
      return holderWorkChanges(fromRecorded(holderCodec, recorded), `acc_${stream.slice(dash + 1)}`);
    case NOTICE_CATEGORY:
      return noticeWorkChanges(fromRecorded(noticeCodec, recorded), noticeIdOfStream(stream));
    default:
      return paymentWorkChanges(fromRecorded(paymentCodec, recorded), realTime, timings);
  }
}
