import { setImmediate } from 'node:timers/promises';
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
} from '@tillstream/domain';
import type { EventStore, RecordedEvent } from '@tillstream/event-store';
import { fromRecorded, metadataOf } from '../event-metadata.js';
import type { OpenWorkStore, WorkChange } from '../open-work.port.js';
import type { Timings } from '../timings.js';
import { workOfNotice } from './notice.changes.js';
import { workOfHolder, workOfToken } from './token.work.js';
import { workOf } from './payment.work.js';
import { nextPage } from './work.page.js';

const CATEGORIES = [PAYMENT_CATEGORY, TOKEN_CATEGORY, HOLDER_CATEGORY, NOTICE_CATEGORY];

/**
 * Reads on from the table's checkpoint to the head of the store, or for so many pages. What begins and ends within a page
 * never touches the table. Gives false where another process fed it meanwhile.
 */
export async function feedOpenWork(
  store: EventStore,
  table: OpenWorkStore,
  timings: Timings,
  pages: number = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  for (let read = 0; read < pages; read++) {
    const from = await table.checkpoint();
    const page = await nextPage(store, from, CATEGORIES);
    if (page.next === undefined || page.next === from) return true;
    const moved = await table.advance(changesOf(page.events, timings), from, page.next, page.landmark);
    if (!moved) return false;
    if (page.end) return true;
    await setImmediate();
  }
  return true;
}

/** The last word on each piece of work, in the order of their first mention; counts as often as they come. */
function changesOf(events: readonly RecordedEvent[], timings: Timings): WorkChange[] {
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
