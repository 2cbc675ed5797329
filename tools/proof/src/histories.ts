import { setTimeout } from 'node:timers/promises';
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
  type RecordedEvent,
} from '@tillstream/event-store';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import { openEventStoreAt } from '@tillstream/platform';
import type { Site } from './site.js';

/** A payment as its stream in the file tells it. */
export interface PaymentHistory {
  readonly stream: string;
  readonly events: readonly PaymentEvent[];
  /** When each was decided, real time, ms. */
  readonly times: readonly number[];
  readonly state: PaymentState;
}

interface Growing {
  readonly events: PaymentEvent[];
  readonly times: number[];
  state: PaymentState;
}

const POLL_MS = 100;

/** Reads the event store beside the service, without a way to write to it, and without asking the service. */
export class Histories {
  private readonly payments = new Map<string, Growing>();
  private readonly tokenStates = new Map<string, TokenState>();
  private readonly chain = new ChainVerifier();
  private readonly broken: string[] = [];
  private readAfter: Position | undefined;

  private constructor(
    private readonly store: EventStore,
    /** With the table of open work; mostly the store itself. */
    private readonly file: SqliteEventStore,
  ) {}

  static async open({ dataDir, environment }: Site): Promise<Histories> {
    const file = await openSqliteEventStore({ file: join(dataDir, 'events.db'), readOnly: true });
    const { EVENTSTOREDB_URL: url } = environment;
    return new Histories(url === undefined ? file : await openEventStoreAt(url, { readOnly: true }), file);
  }

  /** Reads on to the end of the store: each event's hash is checked, each payment's state goes on from where it was. */
  async read(): Promise<void> {
    for (let end = false; !end;) {
      const page = await this.store.readAll({
        ...(this.readAfter && { after: this.readAfter }),
        limit: 1_000,
      });
      for (const recorded of page.events) this.take(recorded);
      this.readAfter = page.next ?? this.readAfter;
      end = page.end;
    }
  }

  all(): PaymentHistory[] {
    return [...this.payments].map(([stream, growing]) => ({ stream, ...growing }));
  }

  /** Stored cards, as their streams tell them. */
  tokens(): Token[] {
    return [...this.tokenStates.values()].filter((state) => state.status !== 'None');
  }

  /** Broken hash chains and histories that no decision could have made. */
  get damage(): readonly string[] {
    return this.broken;
  }

  get events(): number {
    return this.chain.counts.events;
  }

  /** Ids of operations without an outcome. */
  open(): string[] {
    const ofPayments = [...this.payments.values()].flatMap(({ state }) =>
      state.status === 'None' ? [] : state.operations.filter(isPending).map(({ id }) => id),
    );
    const ofTokens = this.tokens().flatMap(({ operations }) => operations.filter(isOpen).map(({ id }) => id));
    return [...ofPayments, ...ofTokens];
  }

  /** Waits until every operation has an outcome; gives those that have none then. */
  async untilNoneIsOpen(withinMs: number): Promise<string[]> {
    const until = performance.now() + withinMs;
    for (;;) {
      await this.read();
      const open = this.open();
      if (open.length === 0 || performance.now() > until) return open;
      await setTimeout(POLL_MS);
    }
  }

  /** Waits until the resolver has nothing left to look at, later looks at what did not happen included. */
  async untilNoWorkIsLeft(withinMs: number): Promise<string[]> {
    const until = performance.now() + withinMs;
    for (;;) {
      await this.read();
      const left = this.workLeft().concat(this.open());
      if (left.length === 0 || performance.now() > until) return left;
      await setTimeout(POLL_MS);
    }
  }

  /** The table of open work follows the events: until it has caught up, what is not in it may still come. */
  private workLeft(): string[] {
    const [fed] = this.file.query<{ position: Position | null }>('SELECT position FROM open_work_checkpoint');
    const head = this.readAfter;
    const behind = head && (!fed?.position || this.store.comparePositions(fed.position, head) < 0);
    const rows = this.file.query<{ id: string }>("SELECT id FROM open_work WHERE kind <> 'Expiry'");
    return [...(behind ? ['the table of open work'] : []), ...rows.map(({ id }) => id)];
  }

  async close(): Promise<void> {
    await this.store.close();
    await this.file.close();
  }

  private take(recorded: RecordedEvent): void {
    const link = this.chain.check(recorded);
    if (link) this.broken.push(`${link.stream} ${link.revision}: ${link.problem}`);
    const category = streamCategory(recorded.stream);
    try {
      if (category === PAYMENT_CATEGORY) this.takePayment(recorded);
      if (category === TOKEN_CATEGORY) this.takeToken(recorded);
    } catch (error) {
      this.broken.push(`${recorded.stream} ${recorded.revision}: ${String(error)}`);
    }
  }

  private takePayment(recorded: RecordedEvent): void {
    const growing = this.payments.get(recorded.stream) ?? { events: [], times: [], state: noPayment };
    this.payments.set(recorded.stream, growing);
    const event = paymentCodec.decode(storedOf(recorded));
    growing.events.push(event);
    growing.times.push(Date.parse(String(recorded.metadata['realTime'])));
    growing.state = foldPayment([event], growing.state);
  }

  private takeToken(recorded: RecordedEvent): void {
    const before = this.tokenStates.get(recorded.stream) ?? noToken;
    this.tokenStates.set(recorded.stream, foldToken([tokenCodec.decode(storedOf(recorded))], before));
  }
}

/** Without an outcome. */
export function isOpen({ progress }: TokenOperation): boolean {
  return ['AwaitingCustomer', 'InFlight', 'Interrupted'].includes(progress.status);
}

function storedOf({ type, data, metadata }: RecordedEvent) {
  return { type, schemaVersion: Number(metadata['schemaVersion']), data };
}
