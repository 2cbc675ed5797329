import type { EventStore, Position } from '@tillstream/event-store';
import { LAG_EVENTS_MAX } from '@tillstream/event-consumers';
import { WORK_CATEGORIES } from '@tillstream/payments';
import { StoreNotFound, type Stores } from '@tillstream/platform';
import { projectionCategories, type ProjectionStatus } from '@tillstream/read-models';
import { NUMBERED_CATEGORIES } from '@tillstream/webhook-delivery';
import { findNextEvent, type NextEvent } from './next.event.js';

/** Names of the consumers that are no lists: what makes webhooks of events, and what feeds the resolver's work queue. */
export const WEBHOOKS = 'webhooks';
export const OPEN_WORK = 'open-work';

/** A list, or another consumer of the events, as an operator sees it. */
export interface ProjectionView extends Pick<ProjectionStatus, 'name' | 'status' | 'lagEvents'> {
  /** Where it can be rebuilt: only lists can. */
  readonly isList: boolean;
  readonly categories: readonly string[];
  readonly position?: Position;
  readonly reason?: string;
}

/** All lists, and after them the other consumers. Those whose tables do not exist yet are left out. */
export async function readProjectionViews(
  stores: Pick<Stores, 'events' | 'readModels' | 'deliveries' | 'workQueue'>,
): Promise<readonly ProjectionView[]> {
  const lists = (await (await stores.readModels()).status()).map(
    ({ name, status, lagEvents, position, reason }) => ({
      ...{ name, status, lagEvents, isList: true, categories: projectionCategories(name) },
      ...(position !== undefined && { position }),
      ...(reason !== undefined && { reason }),
    }),
  );
  return [...lists, ...(await readConsumerViews(stores))];
}

/**
 * The consumers that are no lists. Their tables do not say that one halted: it halted if this version of the program can't
 * handle its next event.
 */
export async function readConsumerViews(
  stores: Pick<Stores, 'events' | 'deliveries' | 'workQueue'>,
): Promise<readonly ProjectionView[]> {
  const store = await stores.events();
  const work = await (await stores.workQueue()).checkpoint();
  const views = [await consumerView(store, OPEN_WORK, WORK_CATEGORIES, work?.position)];
  const deliveries = await stores.deliveries().catch((error: unknown) => {
    if (error instanceof StoreNotFound) return undefined;
    throw error;
  });
  if (!deliveries) return views;
  const numbered = await deliveries.checkpoint();
  return [await consumerView(store, WEBHOOKS, NUMBERED_CATEGORIES, numbered?.position), ...views];
}

async function consumerView(
  store: EventStore,
  name: string,
  categories: readonly string[],
  position: Position | undefined,
): Promise<ProjectionView> {
  const next = await findNextEvent(store, position, categories);
  const reason = haltReason(next);
  return {
    ...{ name, isList: false, categories, status: reason === undefined ? 'Live' : 'Halted' },
    ...(position !== undefined && { position }),
    ...(reason !== undefined && { reason }),
    lagEvents: next === undefined ? 0 : await countAfter(store, position, categories),
  };
}

/** Undefined if this version of the program can handle the event. */
function haltReason(next: NextEvent | undefined): string | undefined {
  if (!next?.problem || next.problem.revision !== next.revision) return undefined;
  return `${next.stream}, revision ${next.revision}: ${next.problem.reason}`;
}

/** Counts up to `LAG_EVENTS_MAX`; 1 if a store can't read the headers of damaged events. */
async function countAfter(
  store: EventStore,
  after: Position | undefined,
  categories: readonly string[],
): Promise<number> {
  const options = { ...(after !== undefined && { after }), categories, limit: LAG_EVENTS_MAX };
  return store.readHeaders(options).then(
    ({ headers }) => headers.length,
    () => 1,
  );
}
