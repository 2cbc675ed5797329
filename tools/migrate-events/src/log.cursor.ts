import {
  UnreadableEvent,
  type AllPage,
  type Position,
  type ReadAllOptions,
  type RecordedEvent,
} from '@tillstream/event-store';
import { setImmediate } from 'node:timers/promises';

/** Events held at once for a log; one may be 1 MiB. */
const PAGE = 500;

/** A place in a store's log, going forwards. Holds one page. */
export class LogCursor {
  #page: readonly RecordedEvent[] = [];
  #at = 0;
  #after: Position | undefined;
  #passed = 0;
  #limit = PAGE;

  constructor(
    private readonly read: (options: ReadAllOptions) => Promise<AllPage>,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Some events from here on, in order; none where the log ends now. Asked again at the end, it looks again. Throws the
   * signal's reason once it came, and `UnreadableEvent` when all before that event was given.
   */
  async ahead(): Promise<readonly RecordedEvent[]> {
    while (this.#at === this.#page.length) {
      // An embedded store never waits: signals, and writes on their way, need a turn of the event loop.
      await setImmediate();
      this.signal.throwIfAborted();
      const page = await this.#read();
      if (page === undefined) continue;
      this.#page = page.events;
      this.#at = 0;
      this.#after = page.next ?? this.#after;
      if (page.events.length === 0 && (page.end || page.next === undefined)) return [];
    }
    return this.#at === 0 ? this.#page : this.#page.slice(this.#at);
  }

  /** Undefined: nothing is given of a page with an event that can't be read, so from here on they are read one by one. */
  async #read(): Promise<AllPage | undefined> {
    try {
      return await this.read({
        limit: this.#limit,
        ...(this.#after !== undefined && { after: this.#after }),
      });
    } catch (error) {
      if (!(error instanceof UnreadableEvent) || this.#limit === 1) throw error;
      this.#limit = 1;
      return undefined;
    }
  }

  /** Goes on by so many of the events ahead. */
  pass(count: number): void {
    this.#at += count;
    this.#passed += count;
  }

  /** Events behind this place. */
  get passed(): number {
    return this.#passed;
  }
}
