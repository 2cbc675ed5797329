import { setImmediate } from 'node:timers/promises';
import type {
  AllPage,
  ReadAllOptions,
  SubscribeToAllOptions,
  Subscriber,
  Subscription,
} from './event-store.js';
import { checkedBuffer } from './append.validation.js';
import type { Position } from './event.js';

/** Events of one read: the page must not block the event loop for more than a few ms. */
const SUBSCRIPTION_PAGE_EVENTS_MAX = 250;
const CHECKPOINT_INTERVAL_MS = 1000;

/** Notifies subscriptions after an append. A needless notification costs one read. */
export class AppendNotifier {
  readonly #listeners = new Set<() => void>();

  notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Returns the function that removes the listener. */
  listen(listener: () => void): () => void {
    // A caller may pass the same listener twice, so each call adds a new function.
    const added = (): void => listener();
    this.#listeners.add(added);
    return () => void this.#listeners.delete(added);
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }
}

/**
 * Implements `subscribeToAll` for stores whose `readAll` returns committed events in order. New events come from `readAll`
 * too: a notification only starts the next read. So the subscription loses, skips and reorders no event when it has
 * caught up, and it holds one page in memory.
 */
export class CatchUpSubscription implements Subscription {
  /** Resolves when the subscriber will not be called again, after a stop or an error. */
  readonly ended: Promise<void>;
  readonly #unlisten: () => void;
  #after: Position | undefined;
  #isStopped = false;
  /** A notification arrived since the last read began. */
  #isWoken = false;
  #resume: (() => void) | undefined;
  #isLive = false;
  #lastCheckpointAt = -Infinity;

  constructor(
    private readonly readAll: (options: ReadAllOptions) => Promise<AllPage>,
    notifier: AppendNotifier,
    private readonly options: SubscribeToAllOptions,
    private readonly subscriber: Subscriber,
  ) {
    this.#after = options.after;
    this.#unlisten = notifier.listen(() => this.#wake());
    this.ended = this.#run();
  }

  /** Waits for the event that the subscriber is handling, so `onEvent` must not await it. */
  stop(): Promise<void> {
    this.#isStopped = true;
    this.#wake();
    return this.ended;
  }

  #wake(): void {
    this.#isWoken = true;
    this.#resume?.();
  }

  async #run(): Promise<void> {
    try {
      const limit = checkedBuffer(this.options.buffer, SUBSCRIPTION_PAGE_EVENTS_MAX);
      // The subscriber is never called before `subscribeToAll` has returned.
      await setImmediate();
      while (!this.#isStopped) {
        this.#isWoken = false;
        const page = await this.readAll({
          ...this.options,
          ...(this.#after !== undefined && { after: this.#after }),
          limit,
        });
        await this.#handle(page);
        if (this.#isStopped) break;
        if (page.end) await this.#atEnd();
        else this.#isLive = false;
        // `readAll` may be synchronous: let the process do other work before the next page.
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
      if (this.#isStopped) return;
      await this.subscriber.onEvent(event);
      this.#after = event.position;
    }
    if (this.#isStopped || page.next === undefined || page.next === this.#after) return;
    this.#after = page.next;
    if (page.events.length > 0 || this.subscriber.onCheckpoint === undefined) return;
    const now = performance.now();
    if (now - this.#lastCheckpointAt < CHECKPOINT_INTERVAL_MS) return;
    this.#lastCheckpointAt = now;
    await this.subscriber.onCheckpoint(page.next);
  }

  async #atEnd(): Promise<void> {
    if (!this.#isLive) {
      this.#isLive = true;
      await this.subscriber.onCaughtUp?.(this.#after);
    }
    if (this.#isWoken || this.#isStopped) return;
    await new Promise<void>((resolve) => {
      this.#resume = resolve;
    });
    this.#resume = undefined;
  }
}
