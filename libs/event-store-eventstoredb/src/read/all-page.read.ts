import {
  checkedPageSize,
  type AllPage,
  type ReadAllOptions,
  type RecordedEvent,
} from '@tillstream/event-store';
import { AllFeed, FeedSignal } from '../subscription/all.feed.js';
import { CallFailed, withinDeadline, type CallAttempt } from '../connection/call.deadline.js';
import type { LeaderConnection } from '../connection/leader.connection.js';
import { readHead, readTail, type LogTail } from './log.tail.js';
import {
  compareLogPositions,
  isAfter,
  parsePosition,
  formatPosition,
  type LogPosition,
} from './log.position.js';
import { eventLogPosition, recordedEvent } from './recorded-event.js';
import { EventFilter } from './event.filter.js';

/** A server that says nothing for so long may be one that never tells when all was sent. */
const SILENCE_MS_MAX = 200;
/** Share of the deadline after which a page is answered with what it has. */
const DEADLINE_SHARE = 0.8;
const TAIL_RECORDS_MAX = 2000;

/**
 * One page of the whole store, from the leader: what was acknowledged before is in it. It is a subscription that ends
 * after so many events or at the head: that alone goes on from a checkpoint as well as from an event, and filters at
 * the server. A page has fewer events than asked for, and `end` false, only when the filter lets so little through that
 * looking for more would take longer than the deadline.
 */
export async function readAllPage(
  connection: LeaderConnection,
  deadlineMs: number,
  options: ReadAllOptions,
): Promise<AllPage> {
  const limit = checkedPageSize(options.limit);
  const wanted = new EventFilter(options.categories);
  const after = options.after === undefined ? undefined : parsePosition(options.after);
  return connection.call(deadlineMs, 'read', async (turn) => {
    const head = await readHead(turn, true);
    if (head === undefined || (after !== undefined && !isAfter(head, after))) {
      return { events: [], ...(options.after !== undefined && { next: options.after }), end: true };
    }
    // One more than asked for tells whether the page is the last.
    const feed = new AllFeed(turn.client, wanted, after, { buffer: limit + 1, mustLead: true });
    turn.onCancel = () => feed.close();
    try {
      return await new AllPageReader(turn, feed, wanted, { after, head, limit }).read();
    } finally {
      feed.close();
    }
  });
}

class AllPageReader {
  readonly #events: RecordedEvent[] = [];
  readonly #softEnd: number;
  /** All before it was looked at. */
  #next: LogPosition | undefined;

  constructor(
    private readonly turn: CallAttempt,
    private readonly feed: AllFeed,
    private readonly wanted: EventFilter,
    private readonly range: {
      readonly after: LogPosition | undefined;
      readonly head: LogPosition;
      readonly limit: number;
    },
  ) {
    this.#next = range.after;
    this.#softEnd = performance.now() + turn.remainingMs() * DEADLINE_SHARE;
  }

  async read(): Promise<AllPage> {
    const { head, limit } = this.range;
    let quietSince = performance.now();
    for (;;) {
      const item = this.feed.read();
      const now = performance.now();
      if (item !== null) quietSince = now;
      if (item instanceof FeedSignal) {
        if (item.kind === 'caughtUp') return this.#last();
        if (item.place !== undefined) this.#next = item.place;
      } else if (item !== null) {
        if (this.wanted.matches(item)) {
          if (this.#events.length === limit) return this.#page(false);
          this.#events.push(recordedEvent(item));
        }
        this.#next = eventLogPosition(item);
      }
      // Nothing that was there when the page was asked for lies further.
      if (item !== null && this.#next !== undefined && compareLogPositions(this.#next, head) >= 0)
        return this.#last();
      if (now > this.#softEnd) return this.#early();
      if (item !== null) continue;
      if (now - quietSince >= SILENCE_MS_MAX) {
        if (await this.#nothingLeft()) return this.#last();
        quietSince = performance.now();
      }
      await this.feed.wait(Math.max(1, Math.min(SILENCE_MS_MAX, this.#softEnd - now)));
    }
  }

  #last(): AllPage {
    const { head } = this.range;
    if (isAfter(head, this.#next)) this.#next = head;
    return this.#page(true);
  }

  /** Something must have been gained: a caller that asks again from the same place would go round for ever. */
  #early(): AllPage {
    if (this.#next === this.range.after) {
      throw new CallFailed({ kind: 'Lost', reason: 'the server finds nothing to send', late: true });
    }
    return this.#page(false);
  }

  #page(end: boolean): AllPage {
    return { events: this.#events, ...(this.#next && { next: formatPosition(this.#next) }), end };
  }

  /** For servers that never tell when all was sent. A slow network looks the same: then there is no time for it. */
  async #nothingLeft(): Promise<boolean> {
    try {
      const options = { most: TAIL_RECORDS_MAX, mustLead: true };
      const look = (turn: CallAttempt): Promise<LogTail> => readTail(turn, this.wanted, this.#next, options);
      const tail = await withinDeadline(this.turn.client, this.#softEnd, look);
      return tail.complete && tail.last === undefined;
    } catch (error) {
      if (performance.now() >= this.#softEnd) return false;
      throw error;
    }
  }
}
