import { stringify, type Options } from 'csv-stringify/sync';
import { cellOf, type Column } from './csv.columns.js';

/**
 * RFC 4180, safe in a spreadsheet (`docs/spec/lists.md#formulas`). csv-stringify puts an apostrophe before a text that
 * begins as a formula, and leaves negative numbers as they are. Where a comma is the decimal separator, spreadsheets
 * divide the lines at semicolons instead, and there a text's own semicolons, tabs and line breaks begin new cells: the
 * texts behind those have an apostrophe too.
 */
const FORMAT: Options = {
  record_delimiter: '\r\n',
  escape_formulas: true,
  cast: {
    string: (text) => (CELL_BREAK.test(text) ? text.replace(INNER_FORMULA, "$&'") : text),
    boolean: String,
  },
};

const CELL_BREAK = /[;\t\r\n]/;
/** A doubled quote in a text also ends and begins a quoted part of the cell. */
const INNER_FORMULA = /[;\t\r\n]"*(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** A page is written in parts of this many rows: neither as one large text nor row by row. */
const ROWS_OF_A_PART = 20;

/** The text of a page, part by part. The first part has the header line, also of an empty page. */
export function* csvParts(columns: readonly Column[], items: readonly unknown[]): Generator<string> {
  const names = columns.map(({ name }) => name);
  let start = 0;
  do {
    const rows = items
      .slice(start, start + ROWS_OF_A_PART)
      .map((item) => columns.map((column) => cellOf(item, column)));
    yield stringify(rows, { ...FORMAT, columns: names, header: start === 0 });
    start += ROWS_OF_A_PART;
  } while (start < items.length);
}
