import {
  EventStoreError,
  type SubscribeToAllOptions,
  type Subscriber,
  type Subscription,
} from '@tillstream/event-store';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { AllFeed } from './all.feed.js';
import { CallFailed, withinDeadline } from '../connection/call.deadline.js';
import { DriverClient } from '../connection/driver.client.js';
import { classifyError } from '../connection/error.mapping.js';
import { FeedSession } from './feed.session.js';
import { readHead } from '../read/log.tail.js';
import { parsePosition } from '../read/log.position.js';
import type { OperatorReport } from '../connection/operator.report.js';
import type { ServerSettings } from '../connection/server.settings.js';
import { SubscriberDelivery, SubscriptionEnded } from './subscriber.delivery.js';
import { EventFilter } from '../read/event.filter.js';

/** More does not make it faster. */
const BUFFER_EVENTS_MAX = 128;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5000;
/** 23.10 drops a live subscriber after a burst, however fast it is. */
const DROPPED_IN_A_BURST = /too slow/i;

/**
 * A subscription to $all over as many connections as it takes, each its own: a subscriber that takes long holds up
 * nobody else. Whatever breaks, it goes on after what was handled last; only the subscriber itself can end it.
 */
export class AllSubscription implements Subscription {
  readonly #stopping = new AbortController();
  readonly #done: Promise<void>;
  #feed: AllFeed | undefined;
  #failedTries = 0;
  #reason: string | undefined;

  constructor(
    private readonly server: ServerSettings,
    private readonly deadlineMs: number,
    private readonly report: OperatorReport,
    private readonly options: SubscribeToAllOptions,
    private readonly subscriber: Subscriber,
  ) {
    this.#done = this.#run();
  }

  /** Do not await it inside the subscriber's own `event`: it waits for the event in hand. */
  stop(): Promise<void> {
    this.#stopping.abort();
    this.#feed?.wake();
    return this.#done;
  }

  /** Resolves when the subscriber will not be called again, for whichever reason. */
  get ended(): Promise<void> {
    return this.#done;
  }

  async #run(): Promise<void> {
    // The subscriber is never called before `subscribeToAll` has returned.
    await setImmediate();
    try {
      const { after, categories } = this.options;
      const wanted = new EventFilter(categories);
      const buffer = bufferSize(this.options.buffer);
      const delivery = new SubscriberDelivery(this.subscriber, wanted, after && parsePosition(after));
      while (!this.#stopping.signal.aborted) await this.#session(wanted, delivery, buffer);
    } catch (error) {
      this.#fail(error instanceof SubscriptionEnded ? error.because : error);
    }
  }

  /** One connection, until it breaks; then the pause before the next. */
  async #session(wanted: EventFilter, delivery: SubscriberDelivery, buffer: number): Promise<void> {
    const stopped = this.#stopping.signal;
    const steps = delivery.stepCount;
    const client = new DriverClient(this.server, undefined, false);
    try {
      const end = performance.now() + this.deadlineMs;
      const head = await withinDeadline(client, end, (turn) => readHead(turn, false), stopped);
      this.#feed = new AllFeed(client, wanted, delivery.handledUpTo, { buffer, mustLead: false });
      const { deadlineMs } = this;
      const mustLead = this.server.clustered && (this.server.address.nodePreference ?? 'leader') === 'leader';
      const parts = {
        client,
        feed: this.#feed,
        wanted,
        delivery,
        head,
        mustLead,
        buffer,
        deadlineMs,
        stopped,
      };
      await new FeedSession(parts).run();
    } catch (error) {
      if (error instanceof SubscriptionEnded) throw error;
      if (!stopped.aborted) await this.#broken(error, delivery.stepCount > steps);
    } finally {
      this.#feed?.close();
      this.#feed = undefined;
      client.close();
    }
  }

  async #broken(error: unknown, progressed: boolean): Promise<void> {
    const fault = error instanceof CallFailed ? error.fault : classifyError(error);
    const reason = 'reason' in fault ? fault.reason : fault.kind;
    if (progressed) this.#failedTries = 0;
    const inABurst = DROPPED_IN_A_BURST.test(reason);
    if (!inABurst && (this.#failedTries === 0 || reason !== this.#reason)) {
      this.report(`a subscription broke (${reason}) and is made anew where it was`);
    }
    this.#reason = reason;
    const wait = Math.min(FIRST_PAUSE_MS * 2 ** this.#failedTries, LONGEST_PAUSE_MS);
    this.#failedTries = Math.min(this.#failedTries + 1, 16);
    if (inABurst && progressed) return;
    // Not all at once: many subscriptions break with one server.
    await pause(wait * (0.5 + Math.random() / 2), undefined, { signal: this.#stopping.signal }).catch(
      () => undefined,
    );
  }

  #fail(error: unknown): void {
    try {
      this.subscriber.onFailure?.(error);
    } catch {
      this.report('a subscriber threw when it was told that its subscription had failed');
    }
  }
}

function bufferSize(buffer = BUFFER_EVENTS_MAX): number {
  if (!Number.isInteger(buffer) || buffer < 1) {
    throw new EventStoreError('Invalid', `a subscription's buffer holds at least 1 event, not ${buffer}`);
  }
  return Math.min(buffer, BUFFER_EVENTS_MAX);
}
