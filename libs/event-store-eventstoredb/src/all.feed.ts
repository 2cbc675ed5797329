import {
  excludeSystemEvents,
  START,
  streamNameFilter,
  type AllStreamRecordedEvent,
  type AllStreamSubscription,
  type SubscribeToAllOptions,
} from '@eventstore/db-client';
import { categoryOf } from '@tillstream/event-store';
import type { ReadableOptions } from 'node:stream';
import type { DriverClient } from './driver.client.js';
import type { Place } from './position.text.js';
import { isSystemEvent } from './recorded.event.js';

/** What a feed says between events, in exactly the order in which the server said it. */
export class FeedMark {
  constructor(
    readonly kind: 'checkpoint' | 'caughtUp' | 'fellBehind',
    /** Of a checkpoint: all before it was sent. */
    readonly place?: Place,
  ) {}
}

/** Which events are asked for. */
export class Wanted {
  readonly #categories: ReadonlySet<string> | undefined;

  /** @param categories left out: all but the server's own events. */
  constructor(categories: readonly string[] | undefined) {
    this.#categories = categories && new Set(categories);
  }

  /** The server's filter knows prefixes: `refund` lets `refundlimit-1` through as well. */
  has(event: AllStreamRecordedEvent): boolean {
    return this.#categories?.has(categoryOf(event.streamId)) !== false && !isSystemEvent(event);
  }

  filter(): NonNullable<SubscribeToAllOptions['filter']> {
    const often = { checkpointInterval: CHECKPOINT_INTERVAL, maxSearchWindow: SEARCH_WINDOW };
    if (this.#categories === undefined) return excludeSystemEvents(often);
    if (this.#categories.size === 0) return streamNameFilter({ ...often, regex: NOTHING });
    return streamNameFilter({ ...often, prefixes: [...this.#categories] });
  }
}

/** Events that the server looks at in one go, and a checkpoint after each such window: what a restart scans again. */
const SEARCH_WINDOW = 1000;
const CHECKPOINT_INTERVAL = 1;
const NOTHING = '(?!)';
/** Answers that the driver has taken from gRPC and not yet turned into events. */
const RAW_BUFFER = 16;

/**
 * A subscription of the driver to $all, read one item at a time: nothing is taken from the network while the buffer is
 * full. The driver tells of checkpoints and of having caught up at once, though events from before may still wait in
 * its buffer; here they wait in the same buffer, in their place among the events.
 */
export class AllFeed {
  readonly #subscription: AllStreamSubscription;
  #wake: (() => void) | undefined;
  #ended = false;
  #error: unknown;

  /** @param after exclusive; undefined: from the beginning. */
  constructor(
    client: DriverClient,
    wanted: Wanted,
    after: Place | undefined,
    options: { readonly buffer: number; readonly mustLead: boolean },
  ) {
    const mark = (kind: FeedMark['kind'], place?: Place): void => {
      if (!this.#ended) this.#subscription.push(new FeedMark(kind, place));
    };
    const buffer: ReadableOptions & { readableHighWaterMark: number; writableHighWaterMark: number } = {
      readableHighWaterMark: options.buffer,
      writableHighWaterMark: RAW_BUFFER,
    };
    this.#subscription = client.subscribeToAll(
      {
        fromPosition: after ?? START,
        filter: { ...wanted.filter(), checkpointReached: (_, place) => mark('checkpoint', place) },
        requiresLeader: options.mustLead,
      },
      buffer,
    );
    this.#subscription.on('caughtUp', () => mark('caughtUp'));
    this.#subscription.on('fellBehind', () => mark('fellBehind'));
    this.#subscription.on('readable', () => this.rouse());
    // It stays for good: the driver may tell more errors after the first, and one that nobody hears ends the process.
    this.#subscription.on('error', (error: Error) => this.#end(error));
    this.#subscription.on('end', () => this.#end(new Error('the server ended the subscription')));
    this.#subscription.on('close', () => this.#end(new Error('the subscription was closed')));
  }

  /** The next item, or null when none is there now. What was received before an error comes first, then it is thrown. */
  read(): AllStreamRecordedEvent | FeedMark | null {
    for (;;) {
      const item = this.#subscription.read() as { event?: AllStreamRecordedEvent } | FeedMark | null;
      if (item === null) {
        if (this.#ended) throw this.#error;
        return null;
      }
      if (item instanceof FeedMark) return item;
      if (item.event !== undefined) return item.event;
    }
  }

  /** Items received and not yet read. */
  get waiting(): number {
    return this.#subscription.readableLength;
  }

  /** Resolves when there may be something to read, when roused, or after so many ms. */
  async wait(ms: number): Promise<void> {
    if (this.#ended || this.waiting > 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.#wake = undefined;
  }

  rouse(): void {
    this.#wake?.();
  }

  close(): void {
    this.#end(new Error('the subscription was closed'));
    this.#subscription.unsubscribe().catch(() => undefined);
    this.#subscription.destroy();
  }

  #end(error: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.rouse();
  }
}
