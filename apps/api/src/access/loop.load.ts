import { performance, type EventLoopUtilization } from 'node:perf_hooks';

const SAMPLE_MS = 100;
const BUSY_SHARE = 0.8;

/** Whether the event loop had work most of the time. Samples when it is asked, at most ten times a second. */
export class LoopLoad {
  private total: EventLoopUtilization = performance.eventLoopUtilization();
  private sampledAt = performance.now();
  private busy = false;

  isBusy(): boolean {
    const now = performance.now();
    if (now - this.sampledAt < SAMPLE_MS) return this.busy;
    const total = performance.eventLoopUtilization();
    this.busy = performance.eventLoopUtilization(total, this.total).utilization >= BUSY_SHARE;
    this.total = total;
    this.sampledAt = now;
    return this.busy;
  }
}
