import type { Statement } from 'better-sqlite3';
import type { Cents, Currency } from '@tillstream/domain';
import type {
  AcquirerRequest,
  CardRequest,
  FollowUpRequest,
  HostResponse,
  Operation,
} from '../acquirer/acquirer.types.js';
import type { SandboxDatabase } from './sandbox.database.js';

/**
 * `Waiting`: a terminal waits for its customer (`TerminalSessions` has the rest). `Lost`: the first send never arrived.
 * `Running`: arrived, executes at `dueAt`. `BreaksItsWord`: executes at `dueAt`, and inquiries before do not find it.
 * `Done`: has its final response. `Annulled`: never executes.
 */
export type OperationState = 'Waiting' | 'Lost' | 'Running' | 'BreaksItsWord' | 'Done' | 'Annulled';

export interface OperationRow {
  readonly key: string;
  readonly state: OperationState;
  readonly request?: StoredRequest;
  /** The key of the payment's first sale, authorization or unreferenced refund. */
  readonly root?: string;
  /** Of a key that is not due yet: its response then. */
  readonly answer?: HostResponse;
  /** Of an approved verification. */
  readonly storedCard?: StoredCard;
  /** All responses are lost, also those to repeats. */
  readonly silent: boolean;
  readonly failingInquiries: number;
  readonly batchClosed: boolean;
  /** Real time, ms. */
  readonly receivedAt: number;
  readonly dueAt?: number;
}

export interface StoredCard {
  /** As `cardId`. */
  readonly id: string;
  /** MMYY. */
  readonly expDate: string;
}

/** A request without its card, because no file may have a card number. */
export type StoredRequest =
  | Pick<
      CardRequest,
      | 'operation'
      | 'merchantId'
      | 'account'
      | 'currency'
      | 'amount'
      | 'channel'
      | 'terminalId'
      | 'networkTransactionId'
    >
  | Omit<FollowUpRequest, 'key'>;

/** Every movement but the first one of a payment has an original, and uses up a part of its approved amount. */
export type MovementKind =
  'Authorized' | 'Captured' | 'Released' | 'Refunded' | 'Voided' | 'Credited' | 'CreditReversed';

export interface Movement {
  readonly key: string;
  readonly kind: MovementKind;
  readonly root: string;
  readonly originalKey?: string;
  readonly merchantId: string;
  readonly currency: Currency;
  readonly amount: Cents;
  /** Real time, ms. */
  readonly at: number;
}

interface Row {
  key: string;
  state: OperationState;
  operation: Operation | null;
  merchant: string | null;
  currency: Currency | null;
  amount: number | null;
  channel: AcquirerRequest['channel'] | null;
  original: string | null;
  root: string | null;
  terminal: string | null;
  answer: string | null;
  silent: number;
  failing_inquiries: number;
  batch_closed: number;
  received_at: number;
  due_at: number | null;
  network: string | null;
  card: string | null;
  card_expiry: string | null;
  account: string | null;
}

/** Keys grow with time, so the latest rows are at the end of the table, and a page needs no index. */
const LATEST_ROWS = 100;

/** Reads and writes the rows. Every call must be inside `SandboxDatabase.transaction`. */
export class Ledger {
  private readonly findRow: Statement<[string], Row>;
  private readonly putRow: Statement<unknown[]>;
  private readonly addMovement: Statement<unknown[]>;
  private readonly useRow: Statement<[string], { used: number; undone: number }>;
  private readonly dueRows: Statement<[number], string>;
  private readonly latestRows: Statement<[string], Row>;
  private readonly countInquiry: Statement<[string]>;

  constructor(database: SandboxDatabase) {
    const { sqlite } = database;
    this.findRow = sqlite.prepare('SELECT * FROM operation WHERE key = ?');
    this.putRow = sqlite.prepare(
      `INSERT OR REPLACE INTO operation (key, state, operation, merchant, currency, amount, channel, original, root,
         terminal, answer, silent, failing_inquiries, batch_closed, received_at, due_at, network, card, card_expiry, account)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.addMovement = sqlite.prepare(
      `INSERT INTO movement (key, kind, root, original, merchant, currency, amount, at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.useRow = sqlite.prepare(
      `SELECT coalesce(sum(amount), 0) AS used,
              coalesce(sum(amount) FILTER (WHERE kind IN ('Voided', 'Released')), 0) AS undone
       FROM movement WHERE original = ?`,
    );
    this.dueRows = sqlite.prepare<[number], string>('SELECT key FROM operation WHERE due_at <= ?').pluck();
    this.latestRows = sqlite.prepare(
      `SELECT * FROM (SELECT * FROM operation ORDER BY key DESC LIMIT ${LATEST_ROWS}) WHERE terminal = ? LIMIT 1`,
    );
    this.countInquiry = sqlite.prepare(
      'UPDATE operation SET failing_inquiries = failing_inquiries - 1 WHERE key = ?',
    );
  }

  find(key: string): OperationRow | undefined {
    const row = this.findRow.get(key);
    return row && operationOf(row);
  }

  put(row: OperationRow): void {
    const request = row.request;
    this.putRow.run(
      row.key,
      row.state,
      request?.operation ?? null,
      request?.merchantId ?? null,
      request?.currency ?? null,
      request?.amount ?? null,
      request?.channel ?? null,
      request && 'originalKey' in request ? request.originalKey : null,
      row.root ?? null,
      (request && 'terminalId' in request ? request.terminalId : null) ?? null,
      row.answer ? JSON.stringify(row.answer) : null,
      row.silent ? 1 : 0,
      row.failingInquiries,
      row.batchClosed ? 1 : 0,
      row.receivedAt,
      row.dueAt ?? null,
      (request && 'networkTransactionId' in request ? request.networkTransactionId : null) ?? null,
      row.storedCard?.id ?? null,
      row.storedCard?.expDate ?? null,
      request?.account ?? null,
    );
  }

  /** Throws if the key has moved money before: the table has each key once. */
  move(movement: Movement): void {
    this.addMovement.run(
      movement.key,
      movement.kind,
      movement.root,
      movement.originalKey ?? null,
      movement.merchantId,
      movement.currency,
      movement.amount,
      movement.at,
    );
  }

  /** How much of the approved amount of `key` later movements have used, and how much of that was voided or released. */
  usedAmounts(key: string): { readonly used: Cents; readonly undone: Cents } {
    return this.useRow.get(key) ?? { used: 0, undone: 0 };
  }

  keysDue(now: number): string[] {
    return this.dueRows.all(now);
  }

  /** The last operation of a terminal, if it is among the latest operations of all terminals. For the terminal's screen. */
  latestOn(terminalId: string): OperationRow | undefined {
    const row = this.latestRows.get(terminalId);
    return row && operationOf(row);
  }

  countFailedInquiry(key: string): void {
    this.countInquiry.run(key);
  }
}

export function belongsToAccount(
  { request }: Pick<OperationRow, 'request'>,
  account: string | undefined,
): boolean {
  return account === undefined || request?.account === undefined || request.account === account;
}

function operationOf(row: Row): OperationRow {
  return {
    key: row.key,
    state: row.state,
    ...(row.operation !== null && { request: requestOf(row, row.operation) }),
    ...(row.root !== null && { root: row.root }),
    ...(row.answer !== null && { answer: JSON.parse(row.answer) as HostResponse }),
    ...(row.card !== null && { storedCard: { id: row.card, expDate: row.card_expiry ?? '' } }),
    silent: row.silent === 1,
    failingInquiries: row.failing_inquiries,
    batchClosed: row.batch_closed === 1,
    receivedAt: row.received_at,
    ...(row.due_at !== null && { dueAt: row.due_at }),
  };
}

function requestOf(row: Row, operation: Operation): StoredRequest {
  const { merchant, currency, amount, channel } = row;
  if (merchant === null || currency === null || amount === null || channel === null) {
    throw new Error(`sandbox ledger: ${row.key} has an operation and no request`);
  }
  return {
    operation,
    merchantId: merchant,
    ...(row.account !== null && { account: row.account }),
    currency,
    amount,
    channel,
    ...(row.original !== null && { originalKey: row.original }),
    ...(row.terminal !== null && { terminalId: row.terminal }),
    ...(row.network !== null && { networkTransactionId: row.network }),
  } as StoredRequest;
}
