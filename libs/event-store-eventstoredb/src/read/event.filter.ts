import {
  excludeSystemEvents,
  streamNameFilter,
  type AllStreamRecordedEvent,
  type SubscribeToAllOptions,
} from '@eventstore/db-client';
import { streamCategory } from '@tillstream/event-store';
import { isSystemEvent } from './recorded-event.js';

/** Events that the server looks at in one go, and a checkpoint after each such window: what a restart scans again. */
const SEARCH_WINDOW = 1000;
const CHECKPOINT_INTERVAL = 1;
const MATCHES_NOTHING = '(?!)';
/** Which events are asked for. */
export class EventFilter {
  readonly #categories: ReadonlySet<string> | undefined;

  /** @param categories left out: all but the server's own events. */
  constructor(categories: readonly string[] | undefined) {
    this.#categories = categories && new Set(categories);
  }

  /** The server's filter knows prefixes: `refund` lets `refundlimit-1` through as well. */
  matches(event: AllStreamRecordedEvent): boolean {
    return this.#categories?.has(streamCategory(event.streamId)) !== false && !isSystemEvent(event);
  }

  driverFilter(): NonNullable<SubscribeToAllOptions['filter']> {
    const often = { checkpointInterval: CHECKPOINT_INTERVAL, maxSearchWindow: SEARCH_WINDOW };
    if (this.#categories === undefined) return excludeSystemEvents(often);
    if (this.#categories.size === 0) return streamNameFilter({ ...often, regex: MATCHES_NOTHING });
    return streamNameFilter({ ...often, prefixes: [...this.#categories] });
  }
}
