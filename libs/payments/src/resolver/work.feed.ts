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
import { fromRecorded, metadataOf } from '../event-metadata.js';
import type { OpenWorkStore, WorkChange } from '../open-work.port.js';
import type { Timings } from '../timings.js';
import { workOfNotice } from './notice.changes.js';
import { workOfHolder, workOfToken } from './token.work.js';
import { workOf } from './payment.work.js';
import { eventsOf, openPage } from './work.page.js';

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

export interface WorkFeedParts {
  readonly store: EventStore;
  readonly table: OpenWorkStore;
  readonly timings: Timings;
  /** Called when the table was changed: work may be due at once. */
  changed(): void;
}

/** Keeps the table of open work as the events say. What begins and ends within a page never touches the table. */
export function openWorkFeed({ store, table, timings, changed }: WorkFeedParts): HeaderConsumer {
  return {
    name: 'open-work',
    categories: WORK_CATEGORIES,
    pageSize: HEADS,
    wakeUpDelayMs: GATHER_MS,
    reads: 'Headers',
    checkpoint: () => table.checkpoint(),
    reset: () => table.startAnew(),
    isPermanent: (error) => error instanceof UnknownEvent,
    async handle({ items, from }) {
      const page = openPage(items);
      const changes = changesOf(await eventsOf(store, page), timings);
      if (!(await table.advance(changes, from, historyWitness(page.last)))) return { kind: 'Fenced' };
      if (changes.length > 0) changed();
      return { kind: 'Moved', to: page.last.position };
    },
  };
}

/** The last word on each piece of work, in the order of their first mention; counts as often as they come. */
export function changesOf(events: readonly RecordedEvent[], timings: Timings): WorkChange[] {
  const last = new Map<string, WorkChange>();
  const counts: WorkChange[] = [];
  for (const recorded of events) {
    const { merchantId } = metadataOf(recorded);
    for (const change of workOfRecorded(recorded, timings)) {
      if (change.kind === 'Put')
        last.set(change.work.id, { kind: 'Put', work: { ...change.work, merchantId } });
      else if (change.kind === 'Remove') last.set(change.id, change);
      else counts.push(change);
    }
  }
  return [...last.values(), ...counts];
}

/** A function of the event alone: the table can be thrown away and made again. */
function workOfRecorded(recorded: RecordedEvent, timings: Timings): WorkChange[] {
  const { stream } = recorded;
  const realTime = Date.parse(metadataOf(recorded).realTime);
  const dash = stream.indexOf('-');
  switch (stream.slice(0, dash)) {
    case TOKEN_CATEGORY:
      return workOfToken(fromRecorded(tokenCodec, recorded), realTime, timings);
    case HOLDER_CATEGORY:
      return workOfHolder(fromRecorded(holderCodec, recorded), `acc_${stream.slice(dash + 1)}`);
    case NOTICE_CATEGORY:
      return workOfNotice(fromRecorded(noticeCodec, recorded), noticeIdOfStream(stream));
    default:
      return workOf(fromRecorded(paymentCodec, recorded), realTime, timings);
  }
}
