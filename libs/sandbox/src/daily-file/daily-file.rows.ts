import type { Database } from 'better-sqlite3';
import type { Cents, Channel, Currency } from '@tillstream/domain';
import type { HostResponse, Operation } from '../acquirer/acquirer.types.js';
import { submittedResponse } from '../acquirer/host-response.js';
import { BANK_ACCOUNTS_BY_LAST_FOUR } from '../bank/bank-accounts.table.js';
import { RETURN_REASONS, type ReturnCode } from '../bank/return-codes.table.js';
import { withoutNulls } from '../ledger/sandbox.database.js';

/** The time that a daily file is about: from `from` on, before `to`. Real time, ms. */
export interface DailyRange {
  readonly from: number;
  readonly to: number;
}

interface DailyBase {
  /** `<operation id>.<attempt>`, or the bank's id of a return. */
  readonly key: string;
  readonly merchantId: string;
  readonly currency: Currency;
  /** As requested; of a return: what the bank took back. */
  readonly amount: Cents;
  /** When it was executed; if it moved nothing, when it arrived. Real time, ms. */
  readonly at: number;
}

/** A key that the acquirer answered, with any answer. */
export interface DailyOperation extends DailyBase {
  readonly kind: 'Operation';
  readonly operation: Operation;
  readonly account?: string;
  readonly channel: Channel;
  readonly originalKey?: string;
  readonly terminalId?: string;
  readonly answer: HostResponse;
}

/** The bank took a payment back. */
export interface DailyReturn extends DailyBase {
  readonly kind: 'Return';
  readonly originalKey: string;
  readonly code: ReturnCode;
  readonly reason: string;
}

export type DailyRow = DailyOperation | DailyReturn;

/** Only keys with a response: what is under way is in the file of the day on which it ends. */
const OPERATIONS = `
  SELECT operation.key, operation.operation, operation.merchant AS merchantId, operation.account, operation.channel,
    operation.currency, operation.amount, operation.original AS originalKey, operation.terminal AS terminalId,
    operation.state, operation.answer, coalesce(movement.at, operation.received_at) AS at
  FROM operation LEFT JOIN movement ON movement.key = operation.key
  WHERE operation.state IN ('Done', 'Submitted') AND operation.answer IS NOT NULL
    AND coalesce(movement.at, operation.received_at) >= @from AND coalesce(movement.at, operation.received_at) < @to
    AND operation.key > @after
  ORDER BY operation.key LIMIT 1000`;
const RETURNS = `
  SELECT movement.key, movement.merchant AS merchantId, movement.currency, movement.amount,
    movement.original AS originalKey, movement.at, operation.answer
  FROM movement JOIN operation ON operation.key = movement.original
  WHERE movement.kind = 'Returned' AND movement.original IS NOT NULL AND movement.at >= @from AND movement.at < @to
    AND movement.original > @after
  ORDER BY movement.original LIMIT 1000`;

type StoredOperation = Omit<DailyOperation, 'kind' | 'answer'> & {
  readonly state: string;
  readonly answer: string;
};
type StoredReturn = Omit<DailyReturn, 'kind' | 'code' | 'reason'> & { readonly answer: string };

/** The rows of a range, with those of each payment together, and its returns last. Holds two pages. */
export function* dailyRows(db: Database, range: DailyRange): Generator<DailyRow> {
  const returns = returnsOf(db, range);
  let next = returns.next();
  for (const row of operationsOf(db, range)) {
    while (next.done !== true && rootOf(next.value.originalKey) < rootOf(row.key)) {
      yield next.value;
      next = returns.next();
    }
    yield row;
  }
  for (; next.done !== true; next = returns.next()) yield next.value;
}

/** The characters that the operations of a payment share. */
function rootOf(key: string): string {
  return key.slice(0, 'trx_'.length + 23);
}

function* operationsOf(db: Database, range: DailyRange): Generator<DailyOperation> {
  const page = db.prepare<[object], StoredOperation>(OPERATIONS);
  for (const { answer: text, state, ...row } of pages(page, range, ({ key }) => key)) {
    const answer = JSON.parse(text) as HostResponse;
    yield {
      kind: 'Operation',
      ...withoutNulls<typeof row>(row),
      answer: state === 'Submitted' ? submittedResponse(answer) : answer,
    };
  }
}

function* returnsOf(db: Database, range: DailyRange): Generator<DailyReturn> {
  const page = db.prepare<[object], StoredReturn>(RETURNS);
  for (const { answer: text, ...row } of pages(page, range, ({ originalKey }) => originalKey)) {
    const { bankAccount } = JSON.parse(text) as HostResponse;
    const account = BANK_ACCOUNTS_BY_LAST_FOUR.get(bankAccount?.maskedNumber.slice(-4) ?? '');
    const code = account?.returns ?? 'R01';
    yield { kind: 'Return', ...row, code, reason: RETURN_REASONS[code] };
  }
}

/** Page by page: an open cursor would block the connection. */
function* pages<Row>(
  page: { all(parameters: object): Row[] },
  range: DailyRange,
  keyOf: (row: Row) => string,
): Generator<Row> {
  let after = '';
  for (;;) {
    const rows = page.all({ ...range, after });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = keyOf(last);
  }
}
