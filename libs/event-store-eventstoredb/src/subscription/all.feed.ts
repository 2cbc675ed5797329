import { START, type AllStreamRecordedEvent, type AllStreamSubscription } from '@eventstore/db-client';
import type { ReadableOptions } from 'node:stream';
import type { DriverClient } from '../connection/driver.client.js';
import type { LogPosition } from '../read/log.position.js';
import type { EventFilter } from '../read/event.filter.js';

/** What a feed says between events, in exactly the order in which the server said it. */
export class FeedSignal {
  constructor(
    readonly kind: 'checkpoint' | 'caughtUp' | 'fellBehind',
    /** Of a checkpoint: all before it was sent. */
    readonly place?: LogPosition,
  ) {}
}

/** Answers that the driver has taken from gRPC and not yet turned into events. */
const RAW_RESPONSES_MAX = 16;

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
    wanted: EventFilter,
    after: LogPosition | undefined,
    options: { readonly buffer: number; readonly mustLead: boolean },
  ) {
    const mark = (kind: FeedSignal['kind'], place?: LogPosition): void => {
      if (!this.#ended) this.#subscription.push(new FeedSignal(kind, place));
    };
    const buffer: ReadableOptions & { readableHighWaterMark: number; writableHighWaterMark: number } = {
      readableHighWaterMark: options.buffer,
      writableHighWaterMark: RAW_RESPONSES_MAX,
    };
    this.#subscription = client.subscribeToAll(
      {
        fromPosition: after ?? START,
        filter: { ...wanted.driverFilter(), checkpointReached: (_, place) => mark('checkpoint', place) },
        requiresLeader: options.mustLead,
      },
      buffer,
    );
    this.#subscription.on('caughtUp', () => mark('caughtUp'));
    this.#subscription.on('fellBehind', () => mark('fellBehind'));
    this.#subscription.on('readable', () => this.wake());
    // It stays for good: the driver may tell more errors after the first, and one that nobody hears ends the process.
    this.#subscription.on('error', (error: Error) => this.#end(error));
    this.#subscription.on('end', () => this.#end(new Error('the server ended the subscription')));
    this.#subscription.on('close', () => this.#end(new Error('the subscription was closed')));
  }

  /** The next item, or null when none is there now. What was received before an error comes first, then it is thrown. */
  read(): AllStreamRecordedEvent | FeedSignal | null {
    for (;;) {
      const item = this.#subscription.read() as { event?: AllStreamRecordedEvent } | FeedSignal | null;
      if (item === null) {
        if (this.#ended) throw this.#error;
        return null;
      }
      if (item instanceof FeedSignal) return item;
      if (item.event !== undefined) return item.event;
    }
  }

  /** Items received and not yet read. */
  get buffered(): number {
    return this.#subscription.readableLength;
  }

  /** Resolves when there may be something to read, when roused, or after so many ms. */
  async wait(ms: number): Promise<void> {
    if (this.#ended || this.buffered > 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.#wake = undefined;
  }

  wake(): void {
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
    this.wake();
  }
}
