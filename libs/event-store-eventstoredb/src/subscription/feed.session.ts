import { FeedSignal, type AllFeed } from './all.feed.js';
import { withinDeadline, type CallAttempt } from '../connection/call.deadline.js';
import type { DriverClient } from '../connection/driver.client.js';
import type { StoreSettings } from '../connection/server.settings.js';
import { readHead, readTail, type LogTail } from '../read/driver.read.js';
import { isAfter, type LogPosition } from '../read/log.event.js';
import type { SubscriberDelivery } from './subscriber.delivery.js';

/** After this silence the server may be one that never reports the end of the events. */
const SILENCE_MS_MAX = 500;
/** After this silence of a live feed the session checks whether the log has further events. */
const LIVE_CHECK_INTERVAL_MS = 5000;
/** Interval of the checks while the subscriber lags. */
const LAGGING_CHECK_INTERVAL_MS = 100;

interface FeedSessionParts {
  readonly settings: StoreSettings;
  readonly client: DriverClient;
  readonly feed: AllFeed;
  readonly delivery: SubscriberDelivery;
  /** The last record before the feed began. */
  readonly head: LogPosition | undefined;
  readonly stopped: AbortSignal;
}

/**
 * The part of a subscription on one connection. It delivers the items of the feed in order and reports when the subscriber
 * has caught up. An old server does not report the end of the events, and no server knows when a slow subscriber has caught
 * up with a live feed. Then the session checks the end of the log, which also detects a feed that died silently.
 */
export class FeedSession {
  #isLive = false;
  #isBehind = false;
  /** The subscriber has caught up when it has handled this event. */
  #target: LogPosition | undefined;
  #items = 0;
  #itemAt = performance.now();
  #checkedAt = -Infinity;
  #checkAfterMs = SILENCE_MS_MAX;
  /** `#items` when a check found an event that the feed had not delivered. */
  #itemsAtMiss: number | undefined;

  constructor(private readonly parts: FeedSessionParts) {}

  /** Resolves after a stop. Rejects if the feed breaks, and with `SubscriptionEnded`. */
  async run(): Promise<void> {
    const { feed, delivery, stopped } = this.parts;
    while (!stopped.aborted) {
      if (this.#isLive && feed.isFull) this.#isBehind = true;
      const item = feed.read();
      if (item === null) {
        await this.#wait();
        continue;
      }
      this.#items += 1;
      this.#itemAt = performance.now();
      if (item instanceof FeedSignal) {
        await this.#handleSignal(item);
        continue;
      }
      const handled = delivery.deliver(item);
      if (handled !== undefined) await handled;
      if (this.#target !== undefined && !isAfter(this.#target, delivery.handledUpTo)) await this.#caughtUp();
    }
  }

  async #handleSignal({ kind, position }: FeedSignal): Promise<void> {
    if (kind === 'fellBehind') this.#isBehind = true;
    // The server's last checkpoint may be far before its head, and on a quiet log no further one follows.
    else if (kind === 'caughtUp') await this.#reachedEnd(this.parts.head);
    else if (position !== undefined) await this.parts.delivery.advanceTo(position);
  }

  async #reachedEnd(head: LogPosition | undefined): Promise<void> {
    if (head !== undefined) await this.parts.delivery.advanceTo(head);
    if (!this.#isLive || this.#isBehind) await this.#caughtUp();
  }

  async #caughtUp(): Promise<void> {
    this.#isLive = true;
    this.#isBehind = false;
    this.#target = undefined;
    this.#checkAfterMs = LIVE_CHECK_INTERVAL_MS;
    if (!this.parts.stopped.aborted) await this.parts.delivery.deliverCaughtUp();
  }

  /** Waits for an item, the next check or the next checkpoint. */
  async #wait(): Promise<void> {
    const { feed, delivery } = this.parts;
    const now = performance.now();
    const isLagging = this.#isBehind && this.#target === undefined;
    const checkAt = isLagging
      ? this.#checkedAt + LAGGING_CHECK_INTERVAL_MS
      : Math.max(this.#itemAt, this.#checkedAt) + this.#checkAfterMs;
    if (now >= checkAt) return this.#checkTail();
    const checkpointMs = delivery.msUntilCheckpoint() ?? Infinity;
    if (checkpointMs === 0) return delivery.deliverCheckpoint();
    await feed.wait(Math.min(checkAt - now, checkpointMs));
  }

  /** Checks whether the log has an event that the feed has not delivered. */
  async #checkTail(): Promise<void> {
    const { client, settings, stopped } = this.parts;
    const end = performance.now() + settings.deadlineMs;
    const tail = await withinDeadline(client, end, (attempt) => this.#readTail(attempt), stopped);
    this.#checkedAt = performance.now();
    if (stopped.aborted) return;
    if (tail.complete && tail.last === undefined) {
      this.#itemsAtMiss = undefined;
      return this.#reachedEnd(tail.head);
    }
    this.#target = tail.last;
    const isSilent = this.#checkedAt - this.#itemAt >= LIVE_CHECK_INTERVAL_MS;
    if (isSilent && this.#itemsAtMiss === this.#items) {
      throw new Error('the server sends nothing, though there is more');
    }
    this.#itemsAtMiss = this.#items;
    this.#checkAfterMs = Math.min(this.#checkAfterMs * 2, LIVE_CHECK_INTERVAL_MS);
  }

  async #readTail(attempt: CallAttempt): Promise<LogTail> {
    const { settings, delivery } = this.parts;
    // Only the leader proves that no further event exists: a node that is cut off from it has no further events either.
    const mustLead = settings.clustered && (settings.address.nodePreference ?? 'leader') === 'leader';
    const head = await readHead(attempt, mustLead);
    if (head === undefined || !isAfter(head, delivery.handledUpTo)) {
      return { head, last: undefined, complete: true };
    }
    return readTail(attempt, delivery.wanted, delivery.handledUpTo, mustLead);
  }
}
