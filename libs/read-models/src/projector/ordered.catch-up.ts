import { historyWitness, type EventStore, type Position, type RecordedEvent } from '@tillstream/event-store';
import type { OrderedProjection } from '../projections/ordered.projection.js';
import type { Advance, ListProgress } from './list.progress.js';
import type { Eventually } from './list.table.js';

/** Events that an ordered projection applies at once. */
export const ORDERED_PAGE_EVENTS = 200;

/** One generation of an ordered projection. */
export interface OrderedTable {
  progress(): Eventually<ListProgress>;
  /**
   * Applies events and moves the checkpoint in one transaction; if it rejects, neither happens. False, and nothing is
   * written, if another process has moved the checkpoint from `from`.
   */
  apply(events: readonly RecordedEvent[], from: Position | undefined, step: Advance): Promise<boolean>;
}

/** Applies events up to the head that the store has at the last read. Calls `afterPage` after each page. */
export async function applyToEnd(
  store: Pick<EventStore, 'readAll'>,
  { categories }: Pick<OrderedProjection<never>, 'categories'>,
  table: OrderedTable,
  afterPage: () => Promise<unknown>,
): Promise<void> {
  for (;;) {
    const { position } = await table.progress();
    const { events, end } = await store.readAll({
      ...(position !== undefined && { after: position }),
      categories,
      limit: ORDERED_PAGE_EVENTS,
    });
    const last = events.at(-1);
    if (last) {
      const step = { to: last.position, events: events.length, witness: historyWitness(last) };
      await table.apply(events, position, step);
    }
    await afterPage();
    if (end) return;
  }
}
