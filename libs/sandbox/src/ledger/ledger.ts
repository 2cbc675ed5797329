import type { Cents, Currency } from '@tillstream/domain';
import type { CardRequest, FollowUpRequest, HostResponse, Operation } from '../acquirer/acquirer.types.js';
import { withoutNulls, type SandboxDatabase } from './sandbox.database.js';

/**
 * `Waiting`: a terminal waits for its customer (`TerminalSessions` has the rest). `Lost`: the first send never arrived.
 * `Running`: arrived, executes at `dueAt`. `BreaksItsWord`: executes at `dueAt`, and inquiries before do not find it.
 * `Submitted`: the bank has it (`BankSchedule` knows until when). `Done`: has its final response. `Annulled`: never executes.
 */
export type OperationState =
  'Waiting' | 'Lost' | 'Running' | 'BreaksItsWord' | 'Submitted' | 'Done' | 'Annulled';

export interface OperationRow {
  readonly key: string;
  readonly state: OperationState;
  readonly request?: StoredRequest;
  /** The key of the payment's first sale, authorization or unreferenced refund. */
  readonly root?: string;
  /** Of a key that is not due yet, or that is submitted: its final response then. */
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

/** Of a request whose amount has no special effect. */
export const NO_EFFECTS: Pick<OperationRow, 'silent' | 'failingInquiries' | 'batchClosed'> = {
  silent: false,
  failingInquiries: 0,
  batchClosed: false,
};

/** `id`: as `cardId`; `expDate`: MMYY. */
export interface StoredCard {
  readonly id: string;
  readonly expDate: string;
}

/** A request without its card or bank account, because no file may have their numbers. */
export type StoredRequest =
  Omit<CardRequest, 'key' | 'card' | 'bankAccount' | 'zipCode'> | Omit<FollowUpRequest, 'key'>;

/**
 * Every movement but the first one of a payment has an original, and uses up a part of its approved amount. Only a bank's
 * return (`Returned`) may exceed it: the bank takes the whole payment back, refunded or not.
 */
export type MovementKind =
  'Authorized' | 'Captured' | 'Released' | 'Refunded' | 'Voided' | 'Credited' | 'CreditReversed' | 'Returned';

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

/** The columns of `operation`; those of the request have the names of its fields. */
interface Row extends Pick<OperationRow, 'key' | 'state' | 'failingInquiries' | 'receivedAt'> {
  readonly operation: Operation | null;
  readonly root: string | null;
  readonly answer: string | null;
  readonly cardId: string | null;
  readonly expDate: string | null;
  readonly silent: number;
  readonly batchClosed: number;
  readonly dueAt: number | null;
}

const ROWS = `
  SELECT key, state, operation, merchant AS merchantId, account, currency, amount, channel, original AS originalKey,
    terminal AS terminalId, network AS networkTransactionId, root, answer, card AS cardId, card_expiry AS expDate,
    silent, failing_inquiries AS failingInquiries, batch_closed AS batchClosed, received_at AS receivedAt, due_at AS dueAt
  FROM operation`;
const PUT = `
  INSERT OR REPLACE INTO operation (key, state, operation, merchant, account, currency, amount, channel, original,
    terminal, network, root, answer, card, card_expiry, silent, failing_inquiries, batch_closed, received_at, due_at)
  VALUES (@key, @state, @operation, @merchantId, @account, @currency, @amount, @channel, @originalKey,
    @terminalId, @networkTransactionId, @root, @answer, @cardId, @expDate, @silent, @failingInquiries, @batchClosed,
    @receivedAt, @dueAt)`;

/** Keys grow with time, so the latest rows are at the end of the table, and a page needs no index. */
const LATEST_ROWS = 100;

function prepareStatements({ sqlite }: SandboxDatabase) {
  return {
    find: sqlite.prepare<[string], Row>(`${ROWS} WHERE key = ?`),
    put: sqlite.prepare(PUT),
    move: sqlite.prepare(
      `INSERT INTO movement (key, kind, root, original, merchant, currency, amount, at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    usedAmounts: sqlite.prepare<[string], { used: Cents; undone: Cents }>(
      `SELECT coalesce(sum(amount), 0) AS used,
              coalesce(sum(amount) FILTER (WHERE kind IN ('Voided', 'Released')), 0) AS undone
       FROM movement WHERE original = ?`,
    ),
    keysDue: sqlite.prepare<[number], string>('SELECT key FROM operation WHERE due_at <= ?').pluck(),
    latestOn: sqlite.prepare<[string], Row>(
      `SELECT * FROM (${ROWS} ORDER BY key DESC LIMIT ${LATEST_ROWS}) WHERE terminalId = ? LIMIT 1`,
    ),
    countFailedInquiry: sqlite.prepare(
      'UPDATE operation SET failing_inquiries = failing_inquiries - 1 WHERE key = ?',
    ),
  };
}

/** Reads and writes the rows. Every call must be inside `SandboxDatabase.transaction`. */
export class Ledger {
  private readonly statements: ReturnType<typeof prepareStatements>;

  constructor(database: SandboxDatabase) {
    this.statements = prepareStatements(database);
  }

  find(key: string): OperationRow | undefined {
    const row = this.statements.find.get(key);
    return row && operationOf(row);
  }

  /** An undefined value is NULL. */
  put(row: OperationRow): void {
    const { request, storedCard, answer } = row;
    this.statements.put.run({
      key: row.key,
      state: row.state,
      operation: request?.operation,
      merchantId: request?.merchantId,
      account: request?.account,
      currency: request?.currency,
      amount: request?.amount,
      channel: request?.channel,
      originalKey: request?.originalKey,
      terminalId: request?.terminalId,
      networkTransactionId: request?.networkTransactionId,
      root: row.root,
      answer: answer && JSON.stringify(answer),
      cardId: storedCard?.id,
      expDate: storedCard?.expDate,
      silent: Number(row.silent),
      failingInquiries: row.failingInquiries,
      batchClosed: Number(row.batchClosed),
      receivedAt: row.receivedAt,
      dueAt: row.dueAt,
    });
  }

  /** Throws if the key has moved money before: the table has each key once. */
  move({ key, kind, root, originalKey, merchantId, currency, amount, at }: Movement): void {
    this.statements.move.run(key, kind, root, originalKey, merchantId, currency, amount, at);
  }

  /** How much of the approved amount of `key` later movements have used, and how much of that was voided or released. */
  usedAmounts(key: string): { readonly used: Cents; readonly undone: Cents } {
    return this.statements.usedAmounts.get(key) ?? { used: 0, undone: 0 };
  }

  keysDue(now: number): string[] {
    return this.statements.keysDue.all(now);
  }

  /** The last operation of a terminal, if it is among the latest operations of all terminals. For the terminal's screen. */
  latestOn(terminalId: string): OperationRow | undefined {
    const row = this.statements.latestOn.get(terminalId);
    return row && operationOf(row);
  }

  countFailedInquiry(key: string): void {
    this.statements.countFailedInquiry.run(key);
  }
}

export function belongsToAccount({ request }: OperationRow, account: string | undefined): boolean {
  return account === undefined || request?.account === undefined || request.account === account;
}

function operationOf(row: Row): OperationRow {
  const { key, state, root, answer, cardId, expDate, failingInquiries, receivedAt, dueAt, ...rest } = row;
  const { silent, batchClosed, ...request } = rest;
  return {
    key,
    state,
    ...(request.operation !== null && { request: withoutNulls<StoredRequest>(request) }),
    ...(root !== null && { root }),
    ...(answer !== null && { answer: JSON.parse(answer) as HostResponse }),
    ...(cardId !== null && { storedCard: { id: cardId, expDate: expDate ?? '' } }),
    silent: silent === 1,
    failingInquiries,
    batchClosed: batchClosed === 1,
    receivedAt,
    ...(dueAt !== null && { dueAt }),
  };
}
