import type { Statement } from 'better-sqlite3';
import type { Cents, Currency } from '@tillstream/domain';
import type { HostResponse } from '../acquirer/acquirer.types.js';
import { dailyRows, type DailyRange, type DailyRow } from '../daily-file/daily-file.rows.js';
import type { Ledger, Movement, MovementKind, StoredRequest } from './ledger.js';
import { withoutNulls, type SandboxDatabase } from './sandbox.database.js';

/** The sums of all movements of one payment, cents. */
export interface PaymentNet {
  readonly root: string;
  readonly merchantId: string;
  readonly currency: Currency;
  readonly authorized: Cents;
  readonly captured: Cents;
  /** Given back of the authorization, by void or reversal. */
  readonly released: Cents;
  readonly refunded: Cents;
  /** Given back of the captured amount, by void or reversal. */
  readonly voided: Cents;
  /** Unreferenced refunds, less their reversals. */
  readonly credited: Cents;
  /** Taken back by the bank. */
  readonly returned: Cents;
  /** Captured less refunded, voided, credited and returned: the amount that the merchant gets. */
  readonly net: Cents;
}

/** A card verification. It moved nothing. */
export interface Verification {
  readonly key: string;
  readonly merchantId: string;
  readonly currency: Currency;
  readonly approved: boolean;
  /** Real time, ms. */
  readonly at: number;
}

/** Read page by page: a ledger may hold millions, and an open cursor would block the connection. */
const NEXT_PAGE = 'key > ? ORDER BY key LIMIT 1000';

const MOVEMENT = `
  SELECT key, kind, root, original AS originalKey, merchant AS merchantId, currency, amount, at FROM movement`;
const ENTRIES = `${MOVEMENT} WHERE ${NEXT_PAGE}`;

const sumOf = (...kinds: MovementKind[]) =>
  `coalesce(sum(amount) FILTER (WHERE kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})), 0)`;
const NET = `
  root, merchant AS merchantId, currency,
  ${sumOf('Authorized')} AS authorized,
  ${sumOf('Captured')} AS captured,
  ${sumOf('Released')} AS released,
  ${sumOf('Refunded')} AS refunded,
  ${sumOf('Voided')} AS voided,
  ${sumOf('Credited')} - ${sumOf('CreditReversed')} AS credited,
  ${sumOf('Returned')} AS returned,
  ${sumOf('Captured', 'CreditReversed')} - ${sumOf('Refunded', 'Voided', 'Credited', 'Returned')} AS net`;
/** A payment is the movement of its root key and the movements with an original. Each part uses an index. */
const netsOf = (roots: string) => `
  WITH chosen AS (${roots})
  SELECT ${NET} FROM (
    SELECT * FROM movement WHERE key IN (SELECT key FROM chosen)
    UNION ALL
    SELECT * FROM movement WHERE original IS NOT NULL AND root IN (SELECT key FROM chosen)
  ) GROUP BY root ORDER BY root`;
const ROOTS = `SELECT key FROM movement WHERE original IS NULL AND ${NEXT_PAGE}`;

const VERIFICATIONS = `
  SELECT key, merchant AS merchantId, currency, answer, received_at AS at FROM operation
  WHERE operation = 'Verify' AND answer IS NOT NULL AND ${NEXT_PAGE}`;

type VerificationRow = Omit<Verification, 'approved'> & { readonly answer: string };

/** The ledger for proofs and audits, which compare it with the event store. */
export class LedgerAudit {
  /** @param settleDue executes all due keys */
  constructor(
    private readonly database: SandboxDatabase,
    private readonly ledger: Ledger,
    private readonly settleDue: () => void,
  ) {}

  /** Every movement of money, ordered by key. Movements are never changed or deleted. */
  *entries(): IterableIterator<Movement> {
    this.settleDue();
    const page = this.database.sqlite.prepare<[string], Movement>(ENTRIES);
    for (const row of pagesOf(page, ({ key }) => key)) yield withoutNulls(row);
  }

  /** What the acquirer answered in a range of real time: the rows of its daily file. */
  *daily(range: DailyRange): IterableIterator<DailyRow> {
    this.settleDue();
    yield* dailyRows(this.database.sqlite, range);
  }

  /** The movement of a key; undefined if it moved nothing. */
  entry(key: string): Movement | undefined {
    this.settleDue();
    const row = this.database.sqlite.prepare<[string], Movement>(`${MOVEMENT} WHERE key = ?`).get(key);
    return row && withoutNulls(row);
  }

  /** By root, ordered. */
  *nets(): IterableIterator<PaymentNet> {
    this.settleDue();
    const page = this.database.sqlite.prepare<[string], PaymentNet>(netsOf(ROOTS));
    yield* pagesOf(page, ({ root }) => root);
  }

  net(root: string): PaymentNet | undefined {
    this.settleDue();
    return this.database.sqlite.prepare<[string], PaymentNet>(netsOf('SELECT ? AS key')).get(root);
  }

  /** Every card verification with a response, ordered by key. */
  *verifications(): IterableIterator<Verification> {
    const page = this.database.sqlite.prepare<[string], VerificationRow>(VERIFICATIONS);
    for (const { answer, ...row } of pagesOf(page, ({ key }) => key)) {
      const { outcome } = JSON.parse(answer) as HostResponse;
      yield { ...row, approved: outcome === 'Approved' };
    }
  }

  /** The request that arrived with a key, without the card; undefined if none arrived. */
  requestOf(key: string): StoredRequest | undefined {
    const known = this.ledger.find(key);
    return known?.state === 'Lost' ? undefined : known?.request;
  }
}

/** All rows of a statement that returns the page after a key. */
function* pagesOf<Row>(page: Statement<[string], Row>, keyOf: (row: Row) => string): Generator<Row> {
  for (let rows = page.all(''); rows.length > 0; rows = page.all(keyOf(rows.at(-1) as Row))) yield* rows;
}
