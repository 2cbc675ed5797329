import { AppendNotifier } from '@tillstream/event-store';

/** A subscriber sees an append of another process after a few intervals. One poll costs some microseconds. */
const POLL_INTERVAL_MS = 10;

/**
 * Notifies listeners of commits of this process (`notify`) and of other processes. SQLite sends no signal for those, so it
 * polls the data version while there are listeners.
 */
export class CommitNotifier extends AppendNotifier {
  #timer: NodeJS.Timeout | undefined;
  #version = -1;
  #isClosed = false;

  /** @param dataVersion a number that changes with each commit of another connection, in any process */
  constructor(private readonly dataVersion: () => number) {
    super();
  }

  override listen(listener: () => void): () => void {
    const unlisten = super.listen(listener);
    if (!this.#isClosed) this.#timer ??= setInterval(() => this.#poll(), POLL_INTERVAL_MS).unref();
    return () => {
      unlisten();
      if (this.listenerCount === 0) this.#stop();
    };
  }

  close(): void {
    this.#isClosed = true;
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #poll(): void {
    try {
      const version = this.dataVersion();
      if (version === this.#version) return;
      this.#version = version;
    } catch {
      // The subscriptions then read, fail, and report the error.
    }
    this.notify();
  }
}
