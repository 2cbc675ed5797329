import { START, type AllStreamRecordedEvent, type AllStreamSubscription } from '@eventstore/db-client';
import type { ReadableOptions } from 'node:stream';
import type { DriverClient } from '../connection/driver.client.js';
import type { EventFilter, LogPosition } from '../read/log.event.js';

/** A message of the server between events, in its place among them. */
export class FeedSignal {
  constructor(
    readonly kind: 'checkpoint' | 'caughtUp' | 'fellBehind',
    /** Set for a checkpoint: all wanted events before it were sent. */
    readonly position?: LogPosition,
  ) {}
}

/** Messages that the driver has received from gRPC and not yet turned into events. */
const RAW_RESPONSES_MAX = 16;

/**
 * A subscription of the driver to $all, read one item at a time. While the buffer is full, it takes nothing from the network.
 * The driver reports a checkpoint or the end of the events at once, while earlier events may still wait in its buffer. Here
 * these signals wait in the same buffer, in their place among the events.
 */
export class AllFeed {
  readonly #subscription: AllStreamSubscription;
  #wake: (() => void) | undefined;
  #ended = false;
  #error: unknown;

  /** @param after exclusive; undefined: from the beginning */
  constructor(
    client: DriverClient,
    wanted: EventFilter,
    after: LogPosition | undefined,
    private readonly options: { readonly buffer: number; readonly mustLead: boolean },
  ) {
    const signal = (kind: FeedSignal['kind'], position?: LogPosition): void => {
      if (!this.#ended) this.#subscription.push(new FeedSignal(kind, position));
    };
    const buffer: ReadableOptions & { readableHighWaterMark: number; writableHighWaterMark: number } = {
      readableHighWaterMark: options.buffer,
      writableHighWaterMark: RAW_RESPONSES_MAX,
    };
    this.#subscription = client.subscribeToAll(
      {
        fromPosition: after ?? START,
        filter: {
          ...wanted.driverFilter(),
          checkpointReached: (_, position) => signal('checkpoint', position),
        },
        requiresLeader: options.mustLead,
      },
      buffer,
    );
    this.#subscription.on('caughtUp', () => signal('caughtUp'));
    this.#subscription.on('fellBehind', () => signal('fellBehind'));
    this.#subscription.on('readable', () => this.wake());
    // This listener stays: the driver may emit more errors, and an unhandled one ends the process.
    this.#subscription.on('error', (error: Error) => this.#end(error));
    this.#subscription.on('end', () => this.#end(new Error('the server ended the subscription')));
    this.#subscription.on('close', () => this.#end(new Error('the subscription was closed')));
  }

  /** The next item, or null if none has arrived. Throws the error of the feed after the items that arrived before it. */
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

  /** True for a live feed means that the subscriber lags. */
  get isFull(): boolean {
    return this.buffered >= this.options.buffer;
  }

  /** Resolves when an item may have arrived, after `wake`, or after `ms`. */
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
