import { LRUCache } from 'lru-cache';
import type { CallHandle } from './http.call.js';

/** Longer than the simulated acquirer ever exceeds a deadline. An inquiry finds a response that comes even later. */
const LISTEN_MS_MAX = 60_000;

/** Calls that may still get a response after their deadline. They do not keep the process alive. */
export class LateResponses {
  private readonly calls: LRUCache<CallHandle, true>;

  constructor(callsMax: number) {
    this.calls = new LRUCache<CallHandle, true>({
      max: callsMax,
      ttl: LISTEN_MS_MAX,
      ttlAutopurge: true,
      dispose: (_value, call, reason) => {
        if (reason !== 'delete') call.cancel();
      },
    });
  }

  /** Beyond `callsMax` the oldest call is cancelled. */
  listen(call: CallHandle): void {
    call.unref();
    this.calls.set(call, true);
  }

  delete(call: CallHandle): void {
    this.calls.delete(call);
  }
}
