import {
  checkedPageSize,
  type AllPage,
  type ReadAllOptions,
  type RecordedEvent,
} from '@tillstream/event-store';
import { AllFeed, FeedSignal } from '../subscription/all.feed.js';
import { withinDeadline, type CallAttempt } from '../connection/call.deadline.js';
import { CallFailed } from '../connection/error.mapping.js';
import type { LeaderConnection } from '../connection/leader.connection.js';
import { readHead, readTail } from './driver.read.js';
import {
  EventFilter,
  eventLogPosition,
  formatPosition,
  isAfter,
  parsePosition,
  recordedEvent,
  type LogPosition,
} from './log.event.js';

/** After this silence the server may be one that never reports the end of the events. */
const SILENCE_MS_MAX = 200;
/** The part of the deadline after which an incomplete page is returned. */
const DEADLINE_SHARE = 0.8;

/**
 * Reads one page of the whole store from the leader, so it includes all acknowledged events. It uses a subscription that
 * ends after `limit` events or at the head, because only a subscription starts at a checkpoint and filters at the server. A
 * page has fewer events with `end` false only if few events pass the filter and the search would exceed the deadline.
 */
export async function readAllPage(
  connection: LeaderConnection,
  deadlineMs: number,
  options: ReadAllOptions,
): Promise<AllPage> {
  const limit = checkedPageSize(options.limit);
  const wanted = new EventFilter(options.categories);
  const after = options.after === undefined ? undefined : parsePosition(options.after);
  return connection.call(deadlineMs, 'read', async (attempt) => {
    const head = await readHead(attempt, true);
    if (head === undefined || !isAfter(head, after)) {
      return { events: [], ...(options.after !== undefined && { next: options.after }), end: true };
    }
    // One more event than requested shows whether the page is the last.
    const feed = new AllFeed(attempt.client, wanted, after, { buffer: limit + 1, mustLead: true });
    attempt.onCancel = () => feed.close();
    try {
      return await new AllPageReader(attempt, feed, wanted, { after, head, limit }).read();
    } finally {
      feed.close();
    }
  });
}

class AllPageReader {
  readonly #events: RecordedEvent[] = [];
  readonly #softEnd: number;
  /** The search has passed all events up to here. */
  #next: LogPosition | undefined;

  constructor(
    private readonly attempt: CallAttempt,
    private readonly feed: AllFeed,
    private readonly wanted: EventFilter,
    private readonly range: {
      readonly after: LogPosition | undefined;
      readonly head: LogPosition;
      readonly limit: number;
    },
  ) {
    this.#next = range.after;
    this.#softEnd = performance.now() + attempt.remainingMs() * DEADLINE_SHARE;
  }

  async read(): Promise<AllPage> {
    let quietSince = performance.now();
    for (;;) {
      const item = this.feed.read();
      const now = performance.now();
      const page = item === null ? undefined : this.#take(item);
      if (page !== undefined) return page;
      if (now > this.#softEnd) return this.#earlyPage();
      if (item !== null) {
        quietSince = now;
        continue;
      }
      if (now - quietSince >= SILENCE_MS_MAX) {
        if (await this.#isAtEnd()) return this.#lastPage();
        quietSince = performance.now();
      }
      await this.feed.wait(Math.max(1, Math.min(SILENCE_MS_MAX, this.#softEnd - now)));
    }
  }

  /** Returns the page if the item completes it. */
  #take(item: NonNullable<ReturnType<AllFeed['read']>>): AllPage | undefined {
    const { head, limit } = this.range;
    if (item instanceof FeedSignal) {
      if (item.kind === 'caughtUp') return this.#lastPage();
      this.#next = item.position ?? this.#next;
    } else {
      if (this.wanted.matches(item)) {
        if (this.#events.length === limit) return this.#page(false);
        this.#events.push(recordedEvent(item));
      }
      this.#next = eventLogPosition(item);
    }
    // No later event existed at the time of the request.
    return isAfter(head, this.#next) ? undefined : this.#lastPage();
  }

  #lastPage(): AllPage {
    const { head } = this.range;
    if (isAfter(head, this.#next)) this.#next = head;
    return this.#page(true);
  }

  /** The page must make progress: otherwise a caller repeats the same read for ever. */
  #earlyPage(): AllPage {
    if (this.#next === this.range.after) {
      throw new CallFailed({ kind: 'Lost', reason: 'the server finds nothing to send', late: true });
    }
    return this.#page(false);
  }

  #page(end: boolean): AllPage {
    return { events: this.#events, ...(this.#next && { next: formatPosition(this.#next) }), end };
  }

  /** For servers that never report the end of the events. A slow network looks the same. */
  async #isAtEnd(): Promise<boolean> {
    try {
      const tail = await withinDeadline(this.attempt.client, this.#softEnd, (attempt) =>
        readTail(attempt, this.wanted, this.#next, true),
      );
      return tail.complete && tail.last === undefined;
    } catch (error) {
      if (performance.now() >= this.#softEnd) return false;
      throw error;
    }
  }
}
