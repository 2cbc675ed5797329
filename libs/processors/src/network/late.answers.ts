import type { Underway } from './one.call.js';

/** Longer than the simulated acquirer ever is behind its deadline, ms. What comes later is found by inquiry. */
const LISTENS_FOR_MS = 60_000;

/** Calls whose deadline has passed and that are still listened to: so many, so long, and none keeps the process awake. */
export class LateAnswers {
  private readonly calls = new Map<Underway, NodeJS.Timeout>();

  constructor(private readonly most: number) {}

  /** The oldest is given up where there are too many. */
  listen(call: Underway): void {
    call.linger();
    this.calls.set(call, setTimeout(() => this.giveUp(call), LISTENS_FOR_MS).unref());
    const [oldest] = this.calls.keys();
    if (this.calls.size > this.most && oldest) this.giveUp(oldest);
  }

  over(call: Underway): void {
    clearTimeout(this.calls.get(call));
    this.calls.delete(call);
  }

  private giveUp(call: Underway): void {
    this.over(call);
    call.abandon();
  }
}
