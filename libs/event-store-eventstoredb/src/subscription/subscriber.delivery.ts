import type { AllStreamRecordedEvent } from '@eventstore/db-client';
import type { Subscriber } from '@tillstream/event-store';
import { isAfter, formatPosition, type LogPosition } from '../read/log.position.js';
import { eventLogPosition, recordedEvent } from '../read/recorded-event.js';
import type { EventFilter } from '../read/event.filter.js';

/** Ends a subscription for good: the subscriber threw, or can't be given an event. All else is tried again. */
export class SubscriptionEnded extends Error {
  constructor(readonly because: unknown) {
    super('the subscription ended');
  }
}

const CHECKPOINT_INTERVAL_MS = 1000;

/** What a subscriber was told, over all connections: where to go on, and when to say so. Rejects with `SubscriptionEnded`. */
export class SubscriberDelivery {
  #seen: LogPosition | undefined;
  /** Passed, and not told yet. */
  #withheld: LogPosition | undefined;
  #toldAt = -Infinity;
  #steps = 0;

  constructor(
    private readonly subscriber: Subscriber,
    private readonly wanted: EventFilter,
    after: LogPosition | undefined,
  ) {
    this.#seen = after;
  }

  /** All up to here was handled or is not wanted. */
  get handledUpTo(): LogPosition | undefined {
    return this.#seen;
  }

  /** Grows with every step forward. */
  get stepCount(): number {
    return this.#steps;
  }

  /** Gives a promise only where there is something to wait for: most subscribers and all unwanted events need none. */
  deliver(event: AllStreamRecordedEvent): Promise<void> | undefined {
    const place = eventLogPosition(event);
    // A server may send again what it sent before a connection broke.
    if (!isAfter(place, this.#seen)) return undefined;
    if (!this.wanted.matches(event)) return this.advanceTo(place);
    let handled: Promise<void> | void;
    try {
      handled = this.subscriber.onEvent(recordedEvent(event));
    } catch (error) {
      throw new SubscriptionEnded(error);
    }
    if (handled !== undefined) return this.#after(handled, place);
    this.#handled(place);
    return undefined;
  }

  /** Nothing that is wanted lies before this place and was not handled. */
  advanceTo(place: LogPosition): Promise<void> | undefined {
    if (!isAfter(place, this.#seen)) return undefined;
    this.#seen = place;
    this.#steps += 1;
    if (this.subscriber.onCheckpoint === undefined) return undefined;
    this.#withheld = place;
    return this.msUntilCheckpoint() === 0 ? this.deliverCheckpoint() : undefined;
  }

  /** ms until the subscriber should hear of a checkpoint; undefined: there is none. */
  msUntilCheckpoint(): number | undefined {
    if (this.#withheld === undefined) return undefined;
    return Math.max(0, this.#toldAt + CHECKPOINT_INTERVAL_MS - performance.now());
  }

  async deliverCheckpoint(): Promise<void> {
    const place = this.#withheld;
    if (place === undefined) return;
    this.#withheld = undefined;
    this.#toldAt = performance.now();
    await this.#tell(() => this.subscriber.onCheckpoint?.(formatPosition(place)));
  }

  async deliverCaughtUp(): Promise<void> {
    this.#steps += 1;
    const position = this.#seen && formatPosition(this.#seen);
    await this.#tell(() => this.subscriber.onCaughtUp?.(position));
  }

  async #after(handled: Promise<void>, place: LogPosition): Promise<void> {
    await this.#tell(() => handled);
    this.#handled(place);
  }

  #handled(place: LogPosition): void {
    this.#seen = place;
    this.#steps += 1;
    this.#withheld = undefined;
  }

  async #tell(what: () => Promise<void> | void): Promise<void> {
    try {
      await what();
    } catch (error) {
      throw new SubscriptionEnded(error);
    }
  }
}
