import { AppendNotifier, type Position } from '@tillstream/event-store';
import { setTimeout as sleep } from 'node:timers/promises';

/** How late an append of another process is noticed. One look reads the last record of the log: some 20 small reads a second. */
const POLL_INTERVAL_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Wakes listeners of `onAppended`. A subscription would send every event to this process a second time, so the end of the
 * log is looked at instead, and only while there are listeners.
 */
export class AppendWatch {
  readonly #wakeUp = new AppendNotifier();
  #looking: AbortController | undefined;
  #seen: Position | undefined;

  constructor(private readonly head: () => Promise<Position | undefined>) {}

  listen(listener: () => void): () => void {
    const unlisten = this.#wakeUp.listen(listener);
    if (this.#looking === undefined) void this.#look((this.#looking = new AbortController()).signal);
    return () => {
      unlisten();
      if (this.#wakeUp.listenerCount === 0) this.stop();
    };
  }

  /** This process appended: no look is needed. */
  notify(): void {
    this.#wakeUp.notify();
  }

  stop(): void {
    this.#looking?.abort();
    this.#looking = undefined;
  }

  async #look(stopped: AbortSignal): Promise<void> {
    let pause = POLL_INTERVAL_MS;
    while (!stopped.aborted) {
      try {
        const head = await this.head();
        pause = POLL_INTERVAL_MS;
        if (head !== this.#seen && !stopped.aborted) this.#wakeUp.notify();
        this.#seen = head;
      } catch {
        // Reads and appends report what is wrong with the store.
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
      await sleep(pause, undefined, { signal: stopped, ref: false }).catch(() => undefined);
    }
  }
}
