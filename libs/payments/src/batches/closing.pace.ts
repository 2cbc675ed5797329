import { setTimeout } from 'node:timers/promises';

/** Most batches are smaller, and are closed without a rest. */
const ITEMS_WITHOUT_REST = 2_000;
/** A rest is this many times as long as the work before it. */
const REST_FACTOR = 3;
/** Far below a lease. */
const REST_MAX_MS = 1_000;

/** Leaves the store and the processor to payments while a large batch is closed: the work on it rests most of the time. */
export class ClosingPace {
  private items = 0;
  private workingSince = performance.now();

  constructor(private readonly rest: (ms: number) => Promise<unknown> = setTimeout) {}

  /** After a page of items. */
  async worked(items: number): Promise<void> {
    this.items += items;
    const workedMs = performance.now() - this.workingSince;
    if (this.items > ITEMS_WITHOUT_REST) await this.rest(Math.min(workedMs * REST_FACTOR, REST_MAX_MS));
    this.workingSince = performance.now();
  }
}
