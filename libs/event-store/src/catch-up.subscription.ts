import { setImmediate } from 'node:timers/promises';
import type {
  AllPage,
  ReadAllOptions,
  SubscribeToAllOptions,
  Subscriber,
  Subscription,
} from './event-store.js';
import { EventStoreError } from './event-store.errors.js';
import type { Position } from './event.js';

/** Most events read at once for a subscriber: a page must not hold the event loop for more than some ms. */
const SUBSCRIPTION_PAGE_EVENTS_MAX = 250;
const CHECKPOINT_INTERVAL_MS = 1000;

/** Tells subscriptions that something may have been appended; a false alarm costs one read. */
export class AppendNotifier {
  readonly #listeners = new Set<() => void>();

  notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Gives back the function that ends it. */
  listen(listener: () => void): () => void {
    // A function of its own for each call: one listener may be given twice.
    const listening = (): void => listener();
    this.#listeners.add(listening);
    return () => void this.#listeners.delete(listening);
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }
}

/**
 * The engine behind `subscribeToAll` for stores that can be read in order up to what is committed. Every event comes
 * out of `readAll` after the last one handled, live ones too: a wake-up only says that reading again is worth it. So
 * nothing can be lost, skipped or reordered at the hand-over, and no more than one page is ever in memory.
 */
export class CatchUpSubscription implements Subscription {
  readonly #done: Promise<void>;
  readonly #unlisten: () => void;
  #after: Position | undefined;
  #stopped = false;
  /** Something may have come since the last read began. */
  #woken = false;
  #wake: (() => void) | undefined;
  #live = false;
  #lastCheckpoint = -Infinity;

  constructor(
    private readonly readAll: (options: ReadAllOptions) => Promise<AllPage>,
    wakeUp: AppendNotifier,
    private readonly options: SubscribeToAllOptions,
    private readonly subscriber: Subscriber,
  ) {
    this.#after = options.after;
    this.#unlisten = wakeUp.listen(() => this.#rouse());
    this.#done = this.#run();
  }

  /** Do not await it inside the subscriber's own `event`: it waits for the event in hand. */
  stop(): Promise<void> {
    this.#stopped = true;
    this.#rouse();
    return this.#done;
  }

  /** Resolves when the subscriber will not be called again, for whichever reason. */
  get ended(): Promise<void> {
    return this.#done;
  }

  #rouse(): void {
    this.#woken = true;
    this.#wake?.();
  }

  async #run(): Promise<void> {
    try {
      const limit = pageLimit(this.options.buffer);
      // The subscriber is never called before `subscribeToAll` has returned.
      await setImmediate();
      while (!this.#stopped) {
        this.#woken = false;
        const page = await this.readAll({ ...this.options, ...position(this.#after), limit });
        await this.#handle(page);
        if (this.#stopped) break;
        if (page.end) await this.#atEnd();
        else this.#live = false;
        // Reading may never have waited: let the rest of the process have its turn.
        await setImmediate();
      }
    } catch (error) {
      this.subscriber.onFailure?.(error);
    } finally {
      this.#unlisten();
    }
  }

  async #handle(page: AllPage): Promise<void> {
    for (const event of page.events) {
      if (this.#stopped) return;
      await this.subscriber.onEvent(event);
      this.#after = event.position;
    }
    if (this.#stopped || page.next === undefined || page.next === this.#after) return;
    this.#after = page.next;
    if (page.events.length > 0 || this.subscriber.onCheckpoint === undefined) return;
    const now = performance.now();
    if (now - this.#lastCheckpoint < CHECKPOINT_INTERVAL_MS) return;
    this.#lastCheckpoint = now;
    await this.subscriber.onCheckpoint(page.next);
  }

  async #atEnd(): Promise<void> {
    if (!this.#live) {
      this.#live = true;
      await this.subscriber.onCaughtUp?.(this.#after);
    }
    if (this.#woken || this.#stopped) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }
}

function pageLimit(buffer = SUBSCRIPTION_PAGE_EVENTS_MAX): number {
  if (!Number.isInteger(buffer) || buffer < 1) {
    throw new EventStoreError('Invalid', `a subscription's buffer holds at least 1 event, not ${buffer}`);
  }
  return Math.min(buffer, SUBSCRIPTION_PAGE_EVENTS_MAX);
}

function position(after: Position | undefined): { after?: Position } {
  return after === undefined ? {} : { after };
}
