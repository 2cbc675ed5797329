import { RETURN_REASONS, type ReturnCode } from '../bank/return-codes.table.js';
import type { Operation } from '../acquirer/acquirer.types.js';
import { integer, oneOf, oneOfList, oneOfValues, shape, text } from '../wire/wire.checks.js';
import { hostAnswer } from '../wire/wire.schemas.js';
import type { DailyRange, DailyRow } from './daily-file.rows.js';

/*
 * The daily file of the simulated acquirer: lines of JSON. The first line has the range, each further line a row, the last
 * line their count, so that a file that was cut off is noticed. The sandbox's own form: each real processor has another.
 */

const VERSION = 1;

export interface DailyHeader extends DailyRange {
  readonly file: 'tillstream-sandbox-daily';
  readonly version: number;
}

export type DailyLine =
  { readonly header: DailyHeader } | { readonly entry: DailyRow } | { readonly count: number };

/** The file is not a valid daily file. The message is a sentence with the number of the line, and never its content. */
export class DailyFileError extends Error {
  override readonly name = 'DailyFileError';
}

export function* dailyLines(range: DailyRange, rows: Iterable<DailyRow>): Generator<DailyLine> {
  yield { header: { file: 'tillstream-sandbox-daily', version: VERSION, from: range.from, to: range.to } };
  let count = 0;
  for (const entry of rows) {
    yield { entry };
    count += 1;
  }
  yield { count };
}

const id = text(100);
const cents = integer(0, 999_999_999);
const time = integer(0, Number.MAX_SAFE_INTEGER);
const currency = oneOfList(['USD', 'CAD']);
const base = { kind: text(20), key: id, merchantId: id, currency, amount: cents, at: time };

const isHeader = shape({
  file: oneOfList(['tillstream-sandbox-daily']),
  version: integer(VERSION, VERSION),
  from: time,
  to: time,
});
const isRow = oneOf('kind', {
  Operation: shape({
    ...base,
    operation: oneOfValues<Operation>({
      Sale: true,
      Authorize: true,
      UnreferencedRefund: true,
      Verify: true,
      Capture: true,
      Void: true,
      Refund: true,
      Reverse: true,
    }),
    'account?': id,
    channel: oneOfList(['CardPresent', 'CardNotPresent', 'Token', 'Ach', 'Eft']),
    'originalKey?': id,
    'terminalId?': id,
    answer: hostAnswer,
  }),
  Return: shape({
    ...base,
    originalKey: id,
    code: oneOfList(Object.keys(RETURN_REASONS) as ReturnCode[]),
    reason: text(200),
  }),
});

export interface DailyFile extends DailyRange {
  /** Each row once, in the order of the file. @throws DailyFileError, at the end too if lines are missing */
  rows(): AsyncGenerator<DailyRow>;
}

/**
 * Reads a file line by line. Holds one line.
 * @throws DailyFileError if the first line is no header of this version
 */
export async function readDailyFile(lines: AsyncIterable<string>): Promise<DailyFile> {
  const reader = lines[Symbol.asyncIterator]();
  const first = await reader.next();
  const parsed = first.done === true ? undefined : parse(first.value, 1);
  const header = (parsed as { readonly header?: DailyHeader } | undefined)?.header;
  if (header === undefined || isHeader(header) !== undefined) {
    throw new DailyFileError('Line 1 is no header of a daily file of the sandbox, version 1.');
  }
  return { from: header.from, to: header.to, rows: () => rowsOf(reader) };
}

async function* rowsOf(reader: AsyncIterator<string>): AsyncGenerator<DailyRow> {
  let count = 0;
  for (let line = 2; ; line++) {
    const next = await reader.next();
    if (next.done === true)
      throw new DailyFileError(`The file ends after line ${line - 1}, without its count.`);
    const parsed = parse(next.value, line);
    if ('count' in parsed) {
      if (parsed.count === count) return;
      throw new DailyFileError(`Line ${line} counts other rows than the ${count} that the file has.`);
    }
    const { entry } = parsed as { readonly entry?: unknown };
    const wrong = isRow(entry);
    if (wrong !== undefined)
      throw new DailyFileError(`Line ${line} is no row: ${wrong || 'entry'} is wrong.`);
    yield entry as DailyRow;
    count += 1;
  }
}

function parse(text: string, line: number): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below: the parser's message repeats the content.
  }
  throw new DailyFileError(`Line ${line} is no JSON object.`);
}
