import { FeedSignal, type AllFeed } from './all.feed.js';
import { withinDeadline, type CallAttempt } from '../connection/call.deadline.js';
import type { DriverClient } from '../connection/driver.client.js';
import { readHead, readTail, type LogTail } from '../read/log.tail.js';
import { isAfter, type LogPosition } from '../read/log.position.js';
import type { SubscriberDelivery } from './subscriber.delivery.js';
import type { EventFilter } from '../read/event.filter.js';

/** A server that says nothing for so long before it told that all was sent may be one that never tells. */
const SILENCE_MS_MAX = 500;
/** A live feed that says nothing for so long is asked whether there is nothing to say. */
const LIVE_CHECK_INTERVAL_MS = 5000;
/** Between two looks at the end of the log while the subscriber lags. */
const LAGGING_CHECK_INTERVAL_MS = 100;
const TAIL_RECORDS_MAX = 2000;

export interface FeedSessionParts {
  readonly client: DriverClient;
  readonly feed: AllFeed;
  readonly wanted: EventFilter;
  readonly delivery: SubscriberDelivery;
  /** The last record before the feed began. */
  readonly head: LogPosition | undefined;
  /** Only the leader may say that there is nothing more: a node cut off from it would say so too. */
  readonly mustLead: boolean;
  /** More than this waiting means that the subscriber lags. */
  readonly buffer: number;
  readonly deadlineMs: number;
  readonly stopped: AbortSignal;
}

/**
 * One connection's worth of a subscription: hands on what the feed says, in order, and tells when all was handled that
 * there was. Where the server does not tell (it is too old, or the subscriber lagged behind a live feed, of which the
 * server knows nothing), it looks at the end of the log. So it also notices a feed that died without a word.
 */
export class FeedSession {
  #live = false;
  #behind = false;
  /** The event to be handled before all is. */
  #target: LogPosition | undefined;
  #items = 0;
  #itemAt = performance.now();
  #lookAt = -Infinity;
  #lookPause = SILENCE_MS_MAX;
  /** `#items` when a look found something that had not come. */
  #missedAt: number | undefined;

  constructor(private readonly parts: FeedSessionParts) {}

  /** Resolves when stopped. Rejects when the feed breaks, and with `SubscriptionEnded`. */
  async run(): Promise<void> {
    const { feed, delivery, stopped, buffer } = this.parts;
    while (!stopped.aborted) {
      if (this.#live && feed.buffered >= buffer) this.#behind = true;
      const item = feed.read();
      if (item === null) {
        await this.#pause();
        continue;
      }
      this.#items += 1;
      this.#itemAt = performance.now();
      if (item instanceof FeedSignal) {
        await this.#mark(item);
        continue;
      }
      const handled = delivery.deliver(item);
      if (handled !== undefined) await handled;
      if (this.#target !== undefined && !isAfter(this.#target, delivery.handledUpTo)) await this.#caughtUp();
    }
  }

  async #mark({ kind, place }: FeedSignal): Promise<void> {
    const { delivery, head } = this.parts;
    switch (kind) {
      case 'checkpoint':
        if (place !== undefined) await delivery.advanceTo(place);
        return;
      case 'fellBehind':
        this.#behind = true;
        return;
      case 'caughtUp':
        // The server's last checkpoint may lie far before its head, and on a quiet log it stays there.
        if (head !== undefined) await delivery.advanceTo(head);
        if (!this.#live || this.#behind) await this.#caughtUp();
    }
  }

  async #caughtUp(): Promise<void> {
    this.#live = true;
    this.#behind = false;
    this.#target = undefined;
    this.#lookPause = LIVE_CHECK_INTERVAL_MS;
    if (!this.parts.stopped.aborted) await this.parts.delivery.deliverCaughtUp();
  }

  /** Nothing to hand on now. */
  async #pause(): Promise<void> {
    const { feed, delivery } = this.parts;
    const now = performance.now();
    const lags = this.#behind && this.#target === undefined;
    const look = lags
      ? this.#lookAt + LAGGING_CHECK_INTERVAL_MS
      : Math.max(this.#itemAt, this.#lookAt) + this.#lookPause;
    if (now >= look) return this.#look();
    const checkpoint = delivery.msUntilCheckpoint() ?? Infinity;
    if (checkpoint === 0) return delivery.deliverCheckpoint();
    await feed.wait(Math.min(look - now, checkpoint));
  }

  /** Looks at the end of the log for what should have come. */
  async #look(): Promise<void> {
    const { client, delivery, deadlineMs, stopped } = this.parts;
    const end = performance.now() + deadlineMs;
    const tail = await withinDeadline(client, end, (turn) => this.#tail(turn), stopped);
    this.#lookAt = performance.now();
    if (stopped.aborted) return;
    if (tail.complete && tail.last === undefined) {
      this.#missedAt = undefined;
      if (tail.head !== undefined) await delivery.advanceTo(tail.head);
      if (!this.#live || this.#behind) await this.#caughtUp();
      return;
    }
    this.#target = tail.last;
    const silent = this.#lookAt - this.#itemAt >= LIVE_CHECK_INTERVAL_MS;
    if (silent && this.#missedAt === this.#items)
      throw new Error('the server sends nothing, though there is more');
    this.#missedAt = this.#items;
    this.#lookPause = Math.min(this.#lookPause * 2, LIVE_CHECK_INTERVAL_MS);
  }

  async #tail(turn: CallAttempt): Promise<LogTail> {
    const { wanted, delivery, mustLead } = this.parts;
    const head = await readHead(turn, mustLead);
    if (head === undefined || !isAfter(head, delivery.handledUpTo))
      return { head, last: undefined, complete: true };
    return readTail(turn, wanted, delivery.handledUpTo, { most: TAIL_RECORDS_MAX, mustLead });
  }
}
