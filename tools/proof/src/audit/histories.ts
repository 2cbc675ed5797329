import { join } from 'node:path';
import {
  foldPayment,
  foldToken,
  isPending,
  noPayment,
  noToken,
  PAYMENT_CATEGORY,
  paymentCodec,
  TOKEN_CATEGORY,
  tokenCodec,
  type Operation,
  type PaymentEvent,
  type PaymentState,
  type Token,
  type TokenOperation,
  type TokenState,
} from '@tillstream/domain';
import {
  streamCategory,
  ChainVerifier,
  type EventStore,
  type Position,
  type ReadAllOptions,
  type RecordedEvent,
} from '@tillstream/event-store';
import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import { WORK_CATEGORIES } from '@tillstream/payments';
import { openEventStoreAt } from '@tillstream/platform';
import type { Deployment, Rows } from '../support/deployment.js';
import { isEmpty, poll } from '../support/concurrency.js';

export interface PaymentHistory {
  readonly stream: string;
  readonly events: readonly PaymentEvent[];
  /** When each event was decided, real time, ms. */
  readonly times: readonly number[];
  readonly state: PaymentState;
}

interface MutableHistory extends PaymentHistory {
  readonly events: PaymentEvent[];
  readonly times: number[];
  state: PaymentState;
}

/** Reads the event store beside the service, read-only. */
export class Histories {
  /** Broken hash chains and events that can't be folded. */
  readonly damage: string[] = [];
  private readonly payments = new Map<string, MutableHistory>();
  private readonly tokenStates = new Map<string, TokenState>();
  private readonly chain = new ChainVerifier();
  private readAfter: Position | undefined;
  /** Of the last event that may make or end work. */
  private workHead: Position | undefined;

  private constructor(
    private readonly store: EventStore,
    /** Of the work queue: in the file of the events, in one beside them, or in a database. */
    private readonly rows: Rows,
    private readonly closeAll: () => Promise<void>,
  ) {}

  static async open({ dataDir, environment, database }: Deployment): Promise<Histories> {
    const { EVENTSTOREDB_URL: url } = environment;
    const server = url === undefined ? undefined : await openEventStoreAt(url, { readOnly: true });
    if (server && database) return new Histories(server, database, () => server.close());
    const file = await openSqliteEventStore({ file: join(dataDir, 'events.db'), readOnly: true });
    const ofFile: Rows = async <Row>(query: string) => file.query<Row>(query);
    return new Histories(server ?? file, ofFile, async () => {
      await server?.close();
      await file.close();
    });
  }

  /** Reads to the end of the store, checks the hash of each event and folds the states. */
  async read(): Promise<void> {
    const take = (recorded: RecordedEvent): void => this.take(recorded);
    this.readAfter = await readEvents(this.store, take, { after: this.readAfter, limit: 1_000 });
  }

  all(): PaymentHistory[] {
    return [...this.payments.values()];
  }

  paymentOperations(): Operation[] {
    return this.all().flatMap(({ state }) => (state.status === 'None' ? [] : state.operations));
  }

  /** Stored cards, folded from their streams. */
  tokens(): Token[] {
    return [...this.tokenStates.values()].filter((state) => state.status !== 'None');
  }

  get events(): number {
    return this.chain.counts.events;
  }

  open(): string[] {
    const ofTokens = this.tokens().flatMap(({ operations }) => operations.filter(isUnresolved));
    return [...this.paymentOperations().filter(isPending), ...ofTokens].map(({ id }) => id);
  }

  waitUntilResolved(timeoutMs: number): Promise<string[]> {
    return this.waitUntilNone(() => this.open(), timeoutMs);
  }

  /** Waits until the resolver has no work left, late inquiries included. Returns what is left in time. */
  waitUntilNoWorkIsLeft(timeoutMs: number): Promise<string[]> {
    return this.waitUntilNone(async () => [...(await this.openWorkItems()), ...this.open()], timeoutMs);
  }

  private waitUntilNone(left: () => string[] | Promise<string[]>, timeoutMs: number): Promise<string[]> {
    const look = async (): Promise<string[]> => {
      await this.read();
      return left();
    };
    return poll(look, isEmpty, timeoutMs);
  }

  /** The work queue follows the events: until its checkpoint is at the head, items may still be added. */
  private async openWorkItems(): Promise<string[]> {
    const [fed] = await this.rows<{ position: Position | null }>('SELECT position FROM open_work_checkpoint');
    const head = this.workHead;
    const behind = head && (!fed?.position || this.store.comparePositions(fed.position, head) < 0);
    const rows = await this.rows<{ id: string }>("SELECT id FROM open_work WHERE kind <> 'Expiry'");
    return [...(behind ? ['the table of open work'] : []), ...rows.map(({ id }) => id)];
  }

  close(): Promise<void> {
    return this.closeAll();
  }

  private take(recorded: RecordedEvent): void {
    const link = this.chain.check(recorded);
    if (link) this.damage.push(`${link.stream} ${link.revision}: ${link.problem}`);
    const category = streamCategory(recorded.stream);
    if (WORK_CATEGORIES.includes(category)) this.workHead = recorded.position;
    try {
      if (category === PAYMENT_CATEGORY) this.takePayment(recorded);
      if (category === TOKEN_CATEGORY) this.takeToken(recorded);
    } catch (error) {
      this.damage.push(`${recorded.stream} ${recorded.revision}: ${String(error)}`);
    }
  }

  private takePayment(recorded: RecordedEvent): void {
    const { stream } = recorded;
    const history = this.payments.get(stream) ?? { stream, events: [], times: [], state: noPayment };
    this.payments.set(stream, history);
    const event = paymentCodec.decode(storedOf(recorded));
    history.events.push(event);
    history.times.push(Date.parse(String(recorded.metadata['realTime'])));
    history.state = foldPayment([event], history.state);
  }

  private takeToken(recorded: RecordedEvent): void {
    const before = this.tokenStates.get(recorded.stream) ?? noToken;
    this.tokenStates.set(recorded.stream, foldToken([tokenCodec.decode(storedOf(recorded))], before));
  }
}

export function isUnresolved({ progress }: TokenOperation): boolean {
  return ['AwaitingCustomer', 'InFlight', 'Interrupted'].includes(progress.status);
}

/** Reads all events from a position on. Returns the position of the last one. */
export async function readEvents(
  store: Pick<EventStore, 'readAll'>,
  take: (event: RecordedEvent) => void,
  { after, ...options }: Omit<ReadAllOptions, 'after'> & { readonly after?: Position | undefined } = {},
): Promise<Position | undefined> {
  for (let last = after; ;) {
    const page = await store.readAll({ ...options, ...(last && { after: last }) });
    page.events.forEach(take);
    last = page.next ?? last;
    if (page.end) return last;
  }
}

/** Runs `use` with the histories of a deployment, read to the end, and closes them. */
export async function withHistories<T>(
  deployment: Deployment,
  use: (histories: Histories) => T | Promise<T>,
): Promise<T> {
  const histories = await Histories.open(deployment);
  try {
    await histories.read();
    return await use(histories);
  } finally {
    await histories.close();
  }
}

function storedOf({ type, data, metadata }: RecordedEvent) {
  return { type, schemaVersion: Number(metadata['schemaVersion']), data };
}
