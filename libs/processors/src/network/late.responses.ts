import type { CallHandle } from './http.call.js';

/** Longer than the simulated acquirer ever is behind its deadline, ms. What comes later is found by inquiry. */
const LISTEN_MS_MAX = 60_000;

/** Calls whose deadline has passed and that are still listened to: so many, so long, and none keeps the process awake. */
export class LateResponses {
  private readonly calls = new Map<CallHandle, NodeJS.Timeout>();

  constructor(private readonly most: number) {}

  /** The oldest is given up where there are too many. */
  listen(call: CallHandle): void {
    call.unref();
    this.calls.set(call, setTimeout(() => this.giveUp(call), LISTEN_MS_MAX).unref());
    const [oldest] = this.calls.keys();
    if (this.calls.size > this.most && oldest) this.giveUp(oldest);
  }

  over(call: CallHandle): void {
    clearTimeout(this.calls.get(call));
    this.calls.delete(call);
  }

  private giveUp(call: CallHandle): void {
    this.over(call);
    call.cancel();
  }
}
