import {
  checkedBuffer,
  type SubscribeToAllOptions,
  type Subscriber,
  type Subscription,
} from '@tillstream/event-store';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { AllFeed } from './all.feed.js';
import { withinDeadline } from '../connection/call.deadline.js';
import { DriverClient } from '../connection/driver.client.js';
import { classifyError, reasonOf } from '../connection/error.mapping.js';
import { FeedSession } from './feed.session.js';
import { readHead } from '../read/driver.read.js';
import type { StoreSettings } from '../connection/server.settings.js';
import { SubscriberDelivery, SubscriptionEnded } from './subscriber.delivery.js';
import { EventFilter, parsePosition } from '../read/log.event.js';

/** A larger buffer is not faster. */
const BUFFER_EVENTS_MAX = 128;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5000;
/** EventStoreDB 23.10 drops a live subscriber after a burst, however fast it is. */
const DROPPED_IN_A_BURST = /too slow/i;

/**
 * A subscription to $all. It has its own connection, so a slow subscriber delays no other one. After any failure it continues
 * behind the last handled event on a new connection; only the subscriber itself can end it.
 */
export class AllSubscription implements Subscription {
  /** Resolves when the subscriber will not be called again, after a stop or an error. */
  readonly ended: Promise<void>;
  readonly #stopping = new AbortController();
  #feed: AllFeed | undefined;
  #failures = 0;
  #reason: string | undefined;

  constructor(
    private readonly settings: StoreSettings,
    private readonly options: SubscribeToAllOptions,
    private readonly subscriber: Subscriber,
  ) {
    this.ended = this.#run();
  }

  /** Waits for the event that the subscriber is handling, so `onEvent` must not await it. */
  stop(): Promise<void> {
    this.#stopping.abort();
    this.#feed?.wake();
    return this.ended;
  }

  async #run(): Promise<void> {
    // The subscriber is never called before `subscribeToAll` has returned.
    await setImmediate();
    try {
      const { after, categories } = this.options;
      const wanted = new EventFilter(categories);
      const buffer = checkedBuffer(this.options.buffer, BUFFER_EVENTS_MAX);
      const delivery = new SubscriberDelivery(this.subscriber, wanted, after && parsePosition(after));
      while (!this.#stopping.signal.aborted) await this.#session(delivery, buffer);
    } catch (error) {
      this.#fail(error instanceof SubscriptionEnded ? error.because : error);
    }
  }

  /** Uses one connection until it breaks, then waits before the next one. */
  async #session(delivery: SubscriberDelivery, buffer: number): Promise<void> {
    const { settings } = this;
    const stopped = this.#stopping.signal;
    const stepsBefore = delivery.steps;
    const client = new DriverClient(settings, undefined, false);
    try {
      const end = performance.now() + settings.deadlineMs;
      const head = await withinDeadline(client, end, (attempt) => readHead(attempt, false), stopped);
      const feed = new AllFeed(client, delivery.wanted, delivery.handledUpTo, { buffer, mustLead: false });
      this.#feed = feed;
      await new FeedSession({ settings, client, feed, delivery, head, stopped }).run();
    } catch (error) {
      if (error instanceof SubscriptionEnded) throw error;
      if (!stopped.aborted) await this.#pauseAfter(error, delivery.steps > stepsBefore);
    } finally {
      this.#feed?.close();
      this.#feed = undefined;
      client.close();
    }
  }

  async #pauseAfter(error: unknown, progressed: boolean): Promise<void> {
    const reason = reasonOf(classifyError(error));
    if (progressed) this.#failures = 0;
    const inABurst = DROPPED_IN_A_BURST.test(reason);
    if (!inABurst && (this.#failures === 0 || reason !== this.#reason)) {
      this.settings.report(`a subscription broke (${reason}) and continues on a new connection`);
    }
    this.#reason = reason;
    const waitMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#failures, LONGEST_PAUSE_MS);
    this.#failures = Math.min(this.#failures + 1, 16);
    if (inABurst && progressed) return;
    // A random pause, because many subscriptions break with one server.
    const { signal } = this.#stopping;
    await pause(waitMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
  }

  #fail(error: unknown): void {
    try {
      this.subscriber.onFailure?.(error);
    } catch {
      this.settings.report('a subscriber threw in onFailure');
    }
  }
}
