import type { AllStreamRecordedEvent } from '@eventstore/db-client';
import type { Subscriber } from '@tillstream/event-store';
import {
  eventLogPosition,
  formatPosition,
  isAfter,
  recordedEvent,
  type EventFilter,
  type LogPosition,
} from '../read/log.event.js';

/** Ends a subscription for good: the subscriber threw, or an event can't be read. All other errors are retried. */
export class SubscriptionEnded extends Error {
  constructor(readonly because: unknown) {
    super('the subscription ended');
  }
}

const CHECKPOINT_INTERVAL_MS = 1000;

/** The subscriber's progress over all connections. Rejects with `SubscriptionEnded`. */
export class SubscriberDelivery {
  /** Grows with each event, checkpoint and catch-up. */
  steps = 0;
  /** Reached, but not yet passed to the subscriber. */
  #pendingCheckpoint: LogPosition | undefined;
  #checkpointAt = -Infinity;

  /** @param handledUpTo all events up to here are handled or not wanted */
  constructor(
    private readonly subscriber: Subscriber,
    readonly wanted: EventFilter,
    public handledUpTo: LogPosition | undefined,
  ) {}

  /** Returns a promise only if there is something to await: most subscribers and all unwanted events need none. */
  deliver(event: AllStreamRecordedEvent): Promise<void> | undefined {
    const position = eventLogPosition(event);
    // A server may send an event again after a connection broke.
    if (!isAfter(position, this.handledUpTo)) return undefined;
    if (!this.wanted.matches(event)) return this.advanceTo(position);
    let handled: Promise<void> | void;
    try {
      handled = this.subscriber.onEvent(recordedEvent(event));
    } catch (error) {
      throw new SubscriptionEnded(error);
    }
    if (handled !== undefined) return this.#notify(() => handled).then(() => this.#handled(position));
    this.#handled(position);
    return undefined;
  }

  /** No wanted event before this position is left to handle. */
  advanceTo(position: LogPosition): Promise<void> | undefined {
    if (!isAfter(position, this.handledUpTo)) return undefined;
    this.handledUpTo = position;
    this.steps += 1;
    if (this.subscriber.onCheckpoint === undefined) return undefined;
    this.#pendingCheckpoint = position;
    return this.msUntilCheckpoint() === 0 ? this.deliverCheckpoint() : undefined;
  }

  /** Time until the pending checkpoint is due; undefined if none is pending. */
  msUntilCheckpoint(): number | undefined {
    if (this.#pendingCheckpoint === undefined) return undefined;
    return Math.max(0, this.#checkpointAt + CHECKPOINT_INTERVAL_MS - performance.now());
  }

  async deliverCheckpoint(): Promise<void> {
    const position = this.#pendingCheckpoint;
    if (position === undefined) return;
    this.#pendingCheckpoint = undefined;
    this.#checkpointAt = performance.now();
    await this.#notify(() => this.subscriber.onCheckpoint?.(formatPosition(position)));
  }

  async deliverCaughtUp(): Promise<void> {
    this.steps += 1;
    const position = this.handledUpTo && formatPosition(this.handledUpTo);
    await this.#notify(() => this.subscriber.onCaughtUp?.(position));
  }

  #handled(position: LogPosition): void {
    this.handledUpTo = position;
    this.steps += 1;
    this.#pendingCheckpoint = undefined;
  }

  async #notify(call: () => Promise<void> | void): Promise<void> {
    try {
      await call();
    } catch (error) {
      throw new SubscriptionEnded(error);
    }
  }
}
