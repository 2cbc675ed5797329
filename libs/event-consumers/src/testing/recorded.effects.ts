import type { EventHeader, Position, RecordedEvent } from '@tillstream/event-store';
import type {
  Checkpoint,
  ConsumerLog,
  ConsumerPage,
  EventConsumer,
  HandleResult,
  HeaderConsumer,
} from '../consumer.port.js';

/**
 * The table of a consumer under test: effects and checkpoint, changed in one step. Consumers of one object share it as
 * processes share a database.
 */
export class RecordedEffects {
  /** Every event whose effect was committed, in the order of the commits. */
  readonly headers: EventHeader[] = [];
  /** Numbers of committed and of fenced pages. */
  readonly pages = { moved: 0, fenced: 0 };
  resetCount = 0;
  checkpoint: Checkpoint | undefined;

  /** `before` runs before the commit of each page. It may be slow or throw. */
  events(name: string, options: ConsumerOptions<RecordedEvent> = {}): EventConsumer {
    return { ...this.#common(name, options), reads: 'Events', handle: (page) => this.#handle(page, options) };
  }

  /** As `events`, with headers. */
  headersOnly(name: string, options: ConsumerOptions<EventHeader> = {}): HeaderConsumer {
    return {
      ...this.#common(name, options),
      reads: 'Headers',
      handle: (page) => this.#handle(page, options),
    };
  }

  #common(name: string, options: ConsumerOptions<never>) {
    const { categories = ['test'], pageSize = 10, wakeUpDelayMs = 0, isPermanent = () => false } = options;
    return {
      ...{ name, categories, pageSize, wakeUpDelayMs, isPermanent },
      checkpoint: async () => this.checkpoint,
      reset: async () => {
        this.resetCount += 1;
        this.headers.length = 0;
        this.checkpoint = undefined;
      },
    };
  }

  async #handle<Item extends EventHeader>(
    page: ConsumerPage<Item>,
    { before = () => undefined, stopAfter }: ConsumerOptions<Item>,
  ): Promise<HandleResult> {
    const items = stopAfter === undefined ? page.items : page.items.slice(0, stopAfter);
    await before(page);
    if (this.checkpoint?.position !== page.from) {
      this.pages.fenced += 1;
      return { kind: 'Fenced' };
    }
    const last = items.at(-1) ?? page.items[0];
    for (const { stream, revision, type, position } of items)
      this.headers.push({ stream, revision, type, position });
    const { stream, revision, position } = last;
    this.checkpoint = { position, witness: { stream, revision, position } };
    this.pages.moved += 1;
    return { kind: 'Moved', to: position };
  }
}

export interface ConsumerOptions<Item extends EventHeader> {
  readonly categories?: readonly string[];
  readonly pageSize?: number;
  readonly wakeUpDelayMs?: number;
  readonly before?: (page: ConsumerPage<Item>) => unknown;
  /** Commits only this many items of each page. */
  readonly stopAfter?: number;
  readonly isPermanent?: (error: unknown) => boolean;
}

/** Keeps each report as one line. */
export class RecordedLog implements ConsumerLog {
  readonly lines: string[] = [];

  halted(consumer: string, reason: string, position: Position | undefined): void {
    this.lines.push(`${consumer} halted after ${position ?? 'nothing'}: ${reason}`);
  }
  failing(consumer: string, reason: string): void {
    this.lines.push(`${consumer} fails: ${reason}`);
  }
  recovered(consumer: string): void {
    this.lines.push(`${consumer} recovered`);
  }
  wasReset(consumer: string): void {
    this.lines.push(`${consumer} started anew`);
  }
}
