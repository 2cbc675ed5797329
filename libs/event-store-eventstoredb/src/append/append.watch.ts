import { AppendNotifier, type Position } from '@tillstream/event-store';
import { setTimeout as sleep } from 'node:timers/promises';

/** An append of another process is noticed after this time. One poll reads the last record of the log. */
const POLL_INTERVAL_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Notifies listeners of appends of this process (`notify`) and of other processes. A subscription would send every event to
 * this process a second time, so the watch polls the end of the log while there are listeners.
 */
export class AppendWatch extends AppendNotifier {
  #polling: AbortController | undefined;
  #seen: Position | undefined;

  constructor(private readonly head: () => Promise<Position | undefined>) {
    super();
  }

  override listen(listener: () => void): () => void {
    const unlisten = super.listen(listener);
    if (this.#polling === undefined) void this.#poll((this.#polling = new AbortController()).signal);
    return () => {
      unlisten();
      if (this.listenerCount === 0) this.stop();
    };
  }

  stop(): void {
    this.#polling?.abort();
    this.#polling = undefined;
  }

  async #poll(stopped: AbortSignal): Promise<void> {
    let pause = POLL_INTERVAL_MS;
    while (!stopped.aborted) {
      try {
        const head = await this.head();
        pause = POLL_INTERVAL_MS;
        if (head !== this.#seen && !stopped.aborted) this.notify();
        this.#seen = head;
      } catch {
        // Reads and appends report the error.
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
      await sleep(pause, undefined, { signal: stopped, ref: false }).catch(() => undefined);
    }
  }
}
