import type { Statement } from 'better-sqlite3';
import type { Cents, Currency } from '@tillstream/domain';
import type { HostResponse } from '../acquirer/acquirer.types.js';
import type { Ledger, Movement, MovementKind, StoredRequest } from './ledger.js';
import type { SandboxDatabase } from './sandbox.database.js';

/** What a payment came to at the acquirer, of everything that names its first key as root. Cents. */
export interface PaymentNet {
  readonly root: string;
  readonly merchantId: string;
  readonly currency: Currency;
  readonly authorized: Cents;
  readonly captured: Cents;
  /** Of the authorization, by void or reversal. */
  readonly released: Cents;
  readonly refunded: Cents;
  /** Of what was captured, by void or reversal. */
  readonly voided: Cents;
  /** Unreferenced refunds, less what was taken back of them. */
  readonly credited: Cents;
  /** Captured less refunded, voided and credited: what the merchant is owed for it. */
  readonly net: Cents;
}

/** A check of a card for 0.00: it moved nothing. */
export interface Verification {
  readonly key: string;
  readonly merchantId: string;
  readonly currency: Currency;
  readonly approved: boolean;
  /** Real time, ms. */
  readonly at: number;
}

/** What proofs and audits read, to hold it against the event store. */
export interface LedgerAudit {
  /** Every movement of money, ordered by key. Nothing in here ever changes or goes away. */
  entries(): IterableIterator<Movement>;
  /** What one key moved; undefined where it moved nothing. */
  entry(key: string): Movement | undefined;
  /** By root, ordered. */
  nets(): IterableIterator<PaymentNet>;
  net(root: string): PaymentNet | undefined;
  /** Every check of a card that was answered, ordered by key. None of them is among the entries. */
  verifications(): IterableIterator<Verification>;
  /** What arrived with a key, without the card; undefined where nothing has. */
  requestOf(key: string): StoredRequest | undefined;
}

const ENTRY = `SELECT key, kind, root, original, merchant, currency, amount, at FROM movement`;
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
  ${sumOf('Captured', 'CreditReversed')} - ${sumOf('Refunded', 'Voided', 'Credited')} AS net`;
/** A payment is the movement of its root and those that have an original: an index serves each of the two. */
const NETS_OF = (roots: string) => `
  WITH chosen AS (${roots})
  SELECT ${NET} FROM (
    SELECT * FROM movement WHERE key IN (SELECT key FROM chosen)
    UNION ALL
    SELECT * FROM movement WHERE original IS NOT NULL AND root IN (SELECT key FROM chosen)
  ) GROUP BY root ORDER BY root`;
/** Read page by page: a ledger may hold millions, and an open cursor would block the connection. */
const PAGE = 1_000;

const VERIFICATIONS = `
  SELECT key, merchant, currency, answer, received_at AS at FROM operation
  WHERE operation = 'Verify' AND answer IS NOT NULL AND key > ? ORDER BY key LIMIT ${PAGE}`;

interface VerificationRow {
  readonly key: string;
  readonly merchant: string;
  readonly currency: Currency;
  readonly answer: string;
  readonly at: number;
}

interface Row extends Omit<Movement, 'originalKey' | 'merchantId'> {
  readonly original: string | null;
  readonly merchant: string;
}

export class SqliteLedgerAudit implements LedgerAudit {
  private readonly page: Statement<[string], Row>;
  private readonly one: Statement<[string], Row>;
  private readonly netPage: Statement<[string], PaymentNet>;
  private readonly oneNet: Statement<[string], PaymentNet>;
  private readonly verificationPage: Statement<[string], VerificationRow>;

  /** `settleDue` makes happen what fell due and nobody has asked for yet. */
  constructor(
    { sqlite }: SandboxDatabase,
    private readonly ledger: Ledger,
    private readonly settleDue: () => void,
  ) {
    this.page = sqlite.prepare(`${ENTRY} WHERE key > ? ORDER BY key LIMIT ${PAGE}`);
    this.one = sqlite.prepare(`${ENTRY} WHERE key = ?`);
    this.netPage = sqlite.prepare(
      NETS_OF(`SELECT key FROM movement WHERE original IS NULL AND key > ? ORDER BY key LIMIT ${PAGE}`),
    );
    this.oneNet = sqlite.prepare(NETS_OF('SELECT ? AS key'));
    this.verificationPage = sqlite.prepare(VERIFICATIONS);
  }

  *entries(): IterableIterator<Movement> {
    this.settleDue();
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows: Row[] = this.page.all(after);
      yield* rows.map(movementOf);
      after = rows.at(-1)?.key;
    }
  }

  entry(key: string): Movement | undefined {
    this.settleDue();
    const row = this.one.get(key);
    return row && movementOf(row);
  }

  *nets(): IterableIterator<PaymentNet> {
    this.settleDue();
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows: PaymentNet[] = this.netPage.all(after);
      yield* rows;
      after = rows.at(-1)?.root;
    }
  }

  net(root: string): PaymentNet | undefined {
    this.settleDue();
    return this.oneNet.get(root);
  }

  *verifications(): IterableIterator<Verification> {
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows: VerificationRow[] = this.verificationPage.all(after);
      yield* rows.map(verificationOf);
      after = rows.at(-1)?.key;
    }
  }

  requestOf(key: string): StoredRequest | undefined {
    const known = this.ledger.find(key);
    return known?.state === 'Lost' ? undefined : known?.request;
  }
}

function verificationOf({ merchant, answer, ...row }: VerificationRow): Verification {
  const { outcome } = JSON.parse(answer) as HostResponse;
  return { ...row, merchantId: merchant, approved: outcome === 'Approved' };
}

function movementOf({ original, merchant, ...row }: Row): Movement {
  return { ...row, merchantId: merchant, ...(original !== null && { originalKey: original }) };
}
