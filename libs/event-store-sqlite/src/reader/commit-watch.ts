import type { AppendNotifier } from '@tillstream/event-store';
import type { EventReader } from './event-reader.js';

/** A subscriber sees another process's append within a few of these. One look costs some microseconds. */
const POLL_INTERVAL_MS = 10;

/** Wakes subscriptions when another process has committed. SQLite has no signal for it, only a number to look at. */
export class CommitWatch {
  #timer: NodeJS.Timeout | undefined;
  #version = -1;

  constructor(
    private readonly reader: EventReader,
    private readonly wakeUp: AppendNotifier,
  ) {}

  start(): void {
    this.#timer ??= setInterval(() => this.#look(), POLL_INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    let version: number;
    try {
      version = this.reader.dataVersion();
    } catch {
      // The subscriptions read too, and theirs is the error to report.
      this.wakeUp.notify();
      return;
    }
    if (version === this.#version) return;
    this.#version = version;
    this.wakeUp.notify();
  }
}
