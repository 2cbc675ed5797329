import type { AllStreamRecordedEvent } from '@eventstore/db-client';
import type { Subscriber } from '@tillstream/event-store';
import { isAfter, positionOf, type Place } from './position.text.js';
import { placeOfEvent, recordedEvent } from './recorded.event.js';
import type { Wanted } from './wanted.events.js';

/** Ends a subscription for good: the subscriber threw, or can't be given an event. All else is tried again. */
export class SubscriptionEnded extends Error {
  constructor(readonly because: unknown) {
    super('the subscription ended');
  }
}

const CHECKPOINT_EVERY_MS = 1000;

/** What a subscriber was told, over all connections: where to go on, and when to say so. Rejects with `SubscriptionEnded`. */
export class SubscriberDelivery {
  #seen: Place | undefined;
  /** Passed, and not told yet. */
  #withheld: Place | undefined;
  #toldAt = -Infinity;
  #steps = 0;

  constructor(
    private readonly subscriber: Subscriber,
    private readonly wanted: Wanted,
    after: Place | undefined,
  ) {
    this.#seen = after;
  }

  /** All up to here was handled or is not wanted. */
  get seen(): Place | undefined {
    return this.#seen;
  }

  /** Grows with every step forward. */
  get steps(): number {
    return this.#steps;
  }

  /** Gives a promise only where there is something to wait for: most subscribers and all unwanted events need none. */
  event(event: AllStreamRecordedEvent): Promise<void> | undefined {
    const place = placeOfEvent(event);
    // A server may send again what it sent before a connection broke.
    if (!isAfter(place, this.#seen)) return undefined;
    if (!this.wanted.has(event)) return this.passed(place);
    let handled: Promise<void> | void;
    try {
      handled = this.subscriber.event(recordedEvent(event));
    } catch (error) {
      throw new SubscriptionEnded(error);
    }
    if (handled !== undefined) return this.#after(handled, place);
    this.#handled(place);
    return undefined;
  }

  /** Nothing that is wanted lies before this place and was not handled. */
  passed(place: Place): Promise<void> | undefined {
    if (!isAfter(place, this.#seen)) return undefined;
    this.#seen = place;
    this.#steps += 1;
    if (this.subscriber.checkpoint === undefined) return undefined;
    this.#withheld = place;
    return this.checkpointDueIn() === 0 ? this.tellCheckpoint() : undefined;
  }

  /** ms until the subscriber should hear of a checkpoint; undefined: there is none. */
  checkpointDueIn(): number | undefined {
    if (this.#withheld === undefined) return undefined;
    return Math.max(0, this.#toldAt + CHECKPOINT_EVERY_MS - performance.now());
  }

  async tellCheckpoint(): Promise<void> {
    const place = this.#withheld;
    if (place === undefined) return;
    this.#withheld = undefined;
    this.#toldAt = performance.now();
    await this.#tell(() => this.subscriber.checkpoint?.(positionOf(place)));
  }

  async caughtUp(): Promise<void> {
    this.#steps += 1;
    const position = this.#seen && positionOf(this.#seen);
    await this.#tell(() => this.subscriber.caughtUp?.(position));
  }

  async #after(handled: Promise<void>, place: Place): Promise<void> {
    await this.#tell(() => handled);
    this.#handled(place);
  }

  #handled(place: Place): void {
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
