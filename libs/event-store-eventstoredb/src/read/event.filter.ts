import {
  excludeSystemEvents,
  streamNameFilter,
  type AllStreamRecordedEvent,
  type SubscribeToAllOptions,
} from '@eventstore/db-client';
import { streamCategory } from '@tillstream/event-store';
import { isSystemEvent } from './recorded-event.js';

/** Events of one scan window of the server. It sends a checkpoint after each, so a restart scans at most one again. */
const SEARCH_WINDOW = 1000;
const CHECKPOINT_INTERVAL = 1;
const MATCHES_NOTHING = '(?!)';
/** Which events a read requests. */
export class EventFilter {
  readonly #categories: ReadonlySet<string> | undefined;

  /** @param categories left out: all events except those of the server itself */
  constructor(categories: readonly string[] | undefined) {
    this.#categories = categories && new Set(categories);
  }

  /** The server's filter compares prefixes: with `refund`, events of `refundlimit-1` pass too. */
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
