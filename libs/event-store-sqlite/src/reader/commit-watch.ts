import type { AppendNotifier } from '@tillstream/event-store';
import type { EventReader } from './event-reader.js';

/** A subscriber sees an append of another process after a few intervals. One poll costs some microseconds. */
const POLL_INTERVAL_MS = 10;

/** Notifies subscriptions of commits of other processes. SQLite sends no signal for them, so this polls its data version. */
export class CommitWatch {
  #timer: NodeJS.Timeout | undefined;
  #version = -1;

  constructor(
    private readonly reader: EventReader,
    private readonly notifier: AppendNotifier,
  ) {}

  start(): void {
    this.#timer ??= setInterval(() => this.#poll(), POLL_INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #poll(): void {
    let version: number;
    try {
      version = this.reader.dataVersion();
    } catch {
      // The subscriptions then read, fail, and report the error.
      this.notifier.notify();
      return;
    }
    if (version === this.#version) return;
    this.#version = version;
    this.notifier.notify();
  }
}
