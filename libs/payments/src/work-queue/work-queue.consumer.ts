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
import { historyWitness, type EventStore, type RecordedEvent } from '@tillstream/event-store';
import { fromRecorded, eventMetadata } from '../stream-repository/event-metadata.js';
import type { WorkQueue, WorkItemChange } from './work-queue.port.js';
import type { Timings } from '../timings.js';
import { noticeWorkChanges } from './processor-notice.work-rules.js';
import { holderWorkChanges, tokenWorkChanges } from './token.work-rules.js';
import { paymentWorkChanges } from './payment.work-rules.js';
import { readEvents, selectPageToRead } from './event-headers.page.js';

/** What the resolver reads. */
export const WORK_CATEGORIES: readonly string[] = [
  PAYMENT_CATEGORY,
  TOKEN_CATEGORY,
  HOLDER_CATEGORY,
  NOTICE_CATEGORY,
];

/** Heads are looked through fast, and the larger a page, the fewer payments begin in one page and end in the next. */
const HEADS = 1_000;
/** So much of what begins is over by then, and never touches the table. */
const GATHER_MS = 250;

export interface WorkQueueConsumerParts {
  readonly store: EventStore;
  readonly workQueue: WorkQueue;
  readonly timings: Timings;
  /** Called when the table was changed: work may be due at once. */
  changed(): void;
}

/** Keeps the table of open work as the events say. What begins and ends within a page never touches the table. */
export function workQueueConsumer({
  store,
  workQueue,
  timings,
  changed,
}: WorkQueueConsumerParts): HeaderConsumer {
  return {
    name: 'open-work',
    categories: WORK_CATEGORIES,
    pageSize: HEADS,
    wakeUpDelayMs: GATHER_MS,
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

/** The last word on each piece of work, in the order of their first mention; counts as often as they come. */
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

/** A function of the event alone: the table can be thrown away and made again. */
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
