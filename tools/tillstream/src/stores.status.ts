import { historyFingerprint, type EventStore, type Position } from '@tillstream/event-store';
import { WORK_CATEGORIES } from '@tillstream/payments';
import { watchDisk, withStores, type Config, type Stores } from '@tillstream/platform';
import { LAG_EVENTS_MAX, type ProjectionStatus, type ReadModels } from '@tillstream/read-models';
import { errorMessage } from '@tillstream/runtime';
import { readConsumerViews } from './projections/projection.views.js';

const UNKNOWN_COUNT_MAX = 10_000;
const CLOSING_COUNT_MAX = 1_000;
/** The search for the head starts at the furthest checkpoint; without lists it starts at the first event. */
const HEAD_SEARCH_MS = 2_000;

/** Why a part could not be read. The field is printed with --json. */
export interface Trouble {
  readonly trouble: string;
}

export interface StoresStatus {
  readonly events: EventsStatus | Trouble;
  readonly lists: readonly ListStatus[] | Trouble;
  /** What makes webhooks of events, and what feeds the work queue of the resolver. */
  readonly consumers: readonly ListStatus[] | Trouble;
  readonly unknownOutcomes: UnknownOutcomesStatus | Trouble;
  /** `open`: merchants and currencies with items that are in no closed batch. */
  readonly batches: { readonly open: number; readonly closing: number } | Trouble;
  readonly freeDiskBytes: number | Trouble;
}

export interface EventsStatus {
  readonly store: 'sqlite' | 'eventstoredb';
  readonly name: string;
  /** Position of the last event; absent in an empty store. */
  readonly head?: string;
  /** The search for the head was given up: there are more events. */
  readonly isAtLeast?: true;
  /** The name of these events (`historyFingerprint`), to compare with that of a running service. */
  readonly history?: string;
}

/** `lagEvents` is at most `LAG_EVENTS_MAX`, which means so many or more. */
export type ListStatus = Pick<ProjectionStatus, 'name' | 'status' | 'lagEvents' | 'reason'>;

export interface UnknownOutcomesStatus {
  readonly open: number;
  readonly oldestAgeSeconds?: number;
  /** Operations whose inquiries have ended: an operator resolves them. Absent if there are none. */
  readonly waitForOperator?: number;
  /** Events that the resolver has not read yet, at most `LAG_EVENTS_MAX`. */
  readonly notLookedAt: number;
}

/** Reads the data directory, whether or not the service runs. Changes nothing. Never rejects. */
export async function readStoresStatus(config: Config): Promise<StoresStatus> {
  const freeDiskBytes = await orTrouble(watchDisk(config.dataDir, 0).free());
  try {
    return await withStores(config, { access: 'read' }, async (stores) => ({
      ...(await readEventsStatus(config, stores)),
      freeDiskBytes,
    }));
  } catch (error) {
    const trouble = troubleOf(error);
    return {
      events: trouble,
      lists: trouble,
      consumers: trouble,
      unknownOutcomes: trouble,
      batches: trouble,
      freeDiskBytes,
    };
  }
}

async function readEventsStatus(
  config: Config,
  stores: Stores,
): Promise<Omit<StoresStatus, 'freeDiskBytes'>> {
  const store = await stores.events();
  const checkpoint = await (await stores.workQueue()).checkpoint();
  const lists = await orTrouble(stores.readModels().then(readLists));
  const consumers = await orTrouble(readConsumerViews(stores));
  const unknownOutcomes = await orTrouble(readUnknownOutcomes(config, stores));
  const history = await historyFingerprint(store).catch(() => undefined);
  const known = isTrouble(lists) ? [] : lists.positions;
  const head = await orTrouble(findHead(store, checkpoint ? [...known, checkpoint.position] : known));
  return {
    events: isTrouble(head)
      ? head
      : { store: config.eventStore, name: stores.name, ...head, ...(history !== undefined && { history }) },
    lists: isTrouble(lists) ? lists : lists.lists,
    consumers: isTrouble(consumers) ? consumers : consumers.map(listStatus),
    unknownOutcomes,
    batches: isTrouble(lists) ? lists : lists.batches,
  };
}

async function readUnknownOutcomes({ timings }: Config, stores: Stores): Promise<UnknownOutcomesStatus> {
  const [clock, work] = [await stores.clock(), await stores.workQueue()];
  const dueBy = clock.realNow() + timings.margin;
  const { count, oldestSince, givenUp } = await work.countUnknown(dueBy, UNKNOWN_COUNT_MAX);
  const age = oldestSince === undefined ? undefined : Math.max(0, clock.now() - oldestSince) / 1000;
  return {
    open: count,
    ...(givenUp > 0 && { waitForOperator: givenUp }),
    ...(age !== undefined && { oldestAgeSeconds: Math.round(age) }),
    notLookedAt: await eventsNotLookedAt(await stores.events(), (await work.checkpoint())?.position),
  };
}

function listStatus({ name, status, lagEvents, reason }: ListStatus): ListStatus {
  return { name, status, lagEvents, ...(reason !== undefined && { reason }) };
}

async function readLists(models: ReadModels) {
  const status = await models.status();
  const open = await models.batches.merchantsWithUnbatched();
  const closing = await models.batches.closingBatchIds(CLOSING_COUNT_MAX);
  return {
    lists: status.map(listStatus),
    positions: status.flatMap(({ position }) => (position === undefined ? [] : [position])),
    batches: { open: open.length, closing: closing.length },
  };
}

/** Counts events of the resolver's categories alone: its checkpoint does not move for others. */
async function eventsNotLookedAt(store: EventStore, checkpoint: Position | undefined): Promise<number> {
  const limit = LAG_EVENTS_MAX;
  const page = checkpoint === undefined ? {} : { after: checkpoint, categories: WORK_CATEGORIES };
  return (await store.readHeaders({ limit, ...page })).headers.length;
}

/** Finds the last event, from the furthest of the `known` positions on. */
async function findHead(
  store: EventStore,
  known: readonly Position[],
): Promise<Pick<EventsStatus, 'head' | 'isAtLeast'>> {
  const until = performance.now() + HEAD_SEARCH_MS;
  let head = [...known].sort((a, b) => store.comparePositions(a, b)).at(-1);
  for (let after = head; ;) {
    const page = await store.readHeaders(after === undefined ? {} : { after });
    head = page.headers.at(-1)?.position ?? head;
    const found = head === undefined ? {} : { head };
    if (page.end || page.next === undefined) return found;
    if (performance.now() > until) return { ...found, isAtLeast: true };
    after = page.next;
  }
}

export function isTrouble(part: unknown): part is Trouble {
  return typeof part === 'object' && part !== null && 'trouble' in part;
}

async function orTrouble<T>(part: Promise<T>): Promise<T | Trouble> {
  try {
    return await part;
  } catch (error) {
    return troubleOf(error);
  }
}

function troubleOf(error: unknown): Trouble {
  return { trouble: errorMessage(error) };
}
