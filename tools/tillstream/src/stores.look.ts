import { historyFingerprint, type EventStore, type Position } from '@tillstream/event-store';
import { WORK_CATEGORIES } from '@tillstream/payments';
import { watchDisk, withStores, type Config, type Stores } from '@tillstream/platform';
import { LAG_EVENTS_MAX, type ProjectionStatus, type ReadModels } from '@tillstream/read-models';

const MOST_UNKNOWN_COUNTED = 10_000;
const MOST_CLOSING_COUNTED = 1_000;
/** A walk to the head begins at the furthest checkpoint; without lists it would begin at the first event. */
const WALK_WITHIN_MS = 2_000;

/** What could not be looked at says why. */
export interface Trouble {
  readonly trouble: string;
}

export interface StoresLook {
  readonly events: EventsLook | Trouble;
  readonly lists: readonly ListLook[] | Trouble;
  readonly unknownOutcomes: UnknownLook | Trouble;
  readonly batches: BatchesLook | Trouble;
  readonly freeDiskBytes: number | Trouble;
}

export interface EventsLook {
  readonly store: 'sqlite' | 'eventstoredb';
  readonly name: string;
  /** Of the last event; absent in an empty store. */
  readonly head?: string;
  /** The walk was given up: there are more. */
  readonly isAtLeast?: true;
  /** By what a running service tells that these are its events (`historyFingerprint`). */
  readonly history?: string;
}

export interface ListLook {
  readonly name: string;
  readonly status: ProjectionStatus['status'];
  /** Up to `LAG_EVENTS_MAX`, which stands for more. */
  readonly lagEvents: number;
  readonly reason?: string;
}

export interface UnknownLook {
  readonly open: number;
  readonly oldestAgeSeconds?: number;
  /** Nobody asks about them any more: an operator resolves them. Absent where there are none. */
  readonly waitForOperator?: number;
  /** Events that the resolver has not looked at yet, up to `LAG_EVENTS_MAX`: it knows nothing of them. */
  readonly notLookedAt: number;
}

export interface BatchesLook {
  /** Merchant and currency with something that no closed batch took. */
  readonly open: number;
  readonly closing: number;
}

/** Looks into the data directory itself, whether or not the service runs. Nothing is changed. Never rejects. */
export async function lookIntoStores(config: Config): Promise<StoresLook> {
  const freeDiskBytes = await orTrouble(watchDisk(config.dataDir, 0).free());
  try {
    return await withStores(config, { access: 'read' }, async (stores) => ({
      ...(await lookIntoEvents(config, stores)),
      freeDiskBytes,
    }));
  } catch (error) {
    const trouble = troubleOf(error);
    return { events: trouble, lists: trouble, unknownOutcomes: trouble, batches: trouble, freeDiskBytes };
  }
}

async function lookIntoEvents(config: Config, stores: Stores): Promise<Omit<StoresLook, 'freeDiskBytes'>> {
  const store = await stores.events();
  const checkpoint = (await (await stores.workQueue()).checkpoint())?.position;
  const lists = await orTrouble(stores.readModels().then(lookIntoLists));
  const seen = isTrouble(lists) ? [] : lists.positions;
  const unknownOutcomes = await orTrouble(lookIntoWork(config, stores));
  const history = await historyFingerprint(store).catch(() => undefined);
  const head = await orTrouble(headOf(store, [...seen, ...(checkpoint === undefined ? [] : [checkpoint])]));
  return {
    events: isTrouble(head)
      ? head
      : { store: config.eventStore, name: stores.name, ...head, ...(history !== undefined && { history }) },
    lists: isTrouble(lists) ? lists : lists.lists,
    unknownOutcomes,
    batches: isTrouble(lists) ? lists : lists.batches,
  };
}

async function lookIntoWork({ timings }: Config, stores: Stores): Promise<UnknownLook> {
  const [clock, work] = [await stores.clock(), await stores.workQueue()];
  const dueBy = clock.realNow() + timings.margin;
  const { count, oldestSince, givenUp } = await work.countUnknown(dueBy, MOST_UNKNOWN_COUNTED);
  const age = oldestSince === undefined ? undefined : Math.max(0, clock.now() - oldestSince) / 1000;
  return {
    open: count,
    ...(givenUp > 0 && { waitForOperator: givenUp }),
    ...(age !== undefined && { oldestAgeSeconds: Math.round(age) }),
    notLookedAt: await eventsNotLookedAt(await stores.events(), (await work.checkpoint())?.position),
  };
}

async function lookIntoLists(models: ReadModels) {
  const status = await models.status();
  const waiting = await models.batches.merchantsWithUnbatched();
  const closing = await models.batches.closingBatchIds(MOST_CLOSING_COUNTED);
  return {
    lists: status.map(({ name, status: state, lagEvents, reason }) => ({
      name,
      status: state,
      lagEvents,
      ...(reason !== undefined && { reason }),
    })),
    positions: status.flatMap(({ position }) => (position === undefined ? [] : [position])),
    batches: { open: waiting.length, closing: closing.length },
  };
}

/** The resolver's checkpoint is an event of its own categories: what others append after it is none of its business. */
async function eventsNotLookedAt(store: EventStore, checkpoint: Position | undefined): Promise<number> {
  const limit = LAG_EVENTS_MAX;
  const page = checkpoint === undefined ? {} : { after: checkpoint, categories: WORK_CATEGORIES };
  return (await store.readHeaders({ limit, ...page })).headers.length;
}

/** The position of the last event, walked to from the furthest that somebody has seen. */
async function headOf(
  store: EventStore,
  seen: readonly Position[],
): Promise<Pick<EventsLook, 'head' | 'isAtLeast'>> {
  const until = performance.now() + WALK_WITHIN_MS;
  let head = [...seen].sort((a, b) => store.comparePositions(a, b)).at(-1);
  let after = head;
  for (;;) {
    const from = after === undefined ? {} : { after };
    const page = await store.readHeaders(from);
    head = page.headers.at(-1)?.position ?? head;
    if (page.end || page.next === undefined) return head === undefined ? {} : { head };
    if (performance.now() > until) return { ...(head !== undefined && { head }), isAtLeast: true };
    after = page.next;
  }
}

export function isTrouble(look: unknown): look is Trouble {
  return typeof look === 'object' && look !== null && 'trouble' in look;
}

async function orTrouble<T>(look: Promise<T>): Promise<T | Trouble> {
  try {
    return await look;
  } catch (error) {
    return troubleOf(error);
  }
}

function troubleOf(error: unknown): Trouble {
  return { trouble: error instanceof Error ? error.message : String(error) };
}
