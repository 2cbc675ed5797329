import { setTimeout } from 'node:timers/promises';

/** After work of some milliseconds, the event loop is left to others for this many times as long. */
const REST_FACTOR = 2;

/**
 * Loads of streams that are longer than a page: one after the other, page by page, with rests between the pages. A payment
 * with 900 operations takes a tenth of a second to fold, and a merchant may have many of them.
 */
export class LongLoads {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when all earlier loads have ended. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** @param workedMs how long the last page kept the event loop */
  async rest(workedMs: number): Promise<void> {
    await setTimeout(Math.ceil(workedMs * REST_FACTOR));
  }
}
