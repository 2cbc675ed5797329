import fc from 'fast-check';
import { readCsv } from '../testing/csv.page.js';
import type { Column } from './csv.columns.js';
import { csvParts } from './csv.format.js';

/** What makes a spreadsheet compute a cell, with the wide forms that some of them take for the same. */
const FORMULA = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

const columns: readonly Column[] = ['id', 'text', 'amount', 'yes', 'more'].map((name) => ({
  name,
  path: [name],
}));
interface Item {
  readonly id: string;
  readonly text?: string;
  readonly amount?: number;
  readonly yes?: boolean;
  readonly more?: string;
}
const written = (items: readonly Item[]): string => [...csvParts(columns, items)].join('');

/** Texts as an attacker writes them, and any others. */
const nasty = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        '=',
        '+',
        '-',
        '@',
        '\t',
        '\r',
        '\n',
        '"',
        "'",
        ';',
        ',',
        ' ',
        '1',
        'A',
        '＝',
        '－',
        '|',
        '!',
      ),
      {
        maxLength: 12,
      },
    )
    .map((characters) => characters.join('')),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '=HYPERLINK("https://evil.example","x")',
    "x;=cmd|'/c calc'!A0;",
    '"=1"',
    '-1+1|cmd',
    '\r\n=1',
  ),
);
const item = fc.record(
  {
    id: fc.stringMatching(/^trx_[0-9A-Z]{3}$/),
    text: nasty,
    amount: fc.integer(),
    yes: fc.boolean(),
    more: nasty,
  },
  { requiredKeys: ['id'] },
);
const items = fc.array(item, { maxLength: 60 });

/** The text before it was escaped: without the apostrophes that stand before a formula at a start or behind a break. */
const unescaped = (text: string): string =>
  text.replace(/(^|[;\t\r\n]"*)'(?=[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g, '$1');

describe('CSV of any items', () => {
  it('comes back from another parser cell by cell: a text as it was or with apostrophes, everything else as it was', () => {
    fc.assert(
      fc.property(items, (given) => {
        const { columns: header, rows } = readCsv(written(given));
        expect(header).toEqual(['id', 'text', 'amount', 'yes', 'more']);
        expect(rows).toHaveLength(given.length);
        rows.forEach(([id, text = '', amount, yes, more = ''], index) => {
          const of = given[index];
          expect([id, amount, yes]).toEqual([of?.id, String(of?.amount ?? ''), String(of?.yes ?? '')]);
          for (const [cell, value = ''] of [[text, of?.text] as const, [more, of?.more] as const]) {
            expect(unescaped(cell)).toBe(unescaped(value));
            if (!/(^|[;\t\r\n]"*)[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(value)) expect(cell).toBe(value);
          }
        });
      }),
      { numRuns: 500 },
    );
  });

  it('has no text that runs as a formula', () => {
    fc.assert(
      fc.property(items, (given) => {
        for (const [, text = '', , , more = ''] of readCsv(written(given)).rows)
          expect([text, more].filter((cell) => FORMULA.test(cell))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('has none in a program either that divides lines at semicolons or tabs, or inside of quotes', () => {
    fc.assert(
      fc.property(items, (given) => {
        const cells = written(given).split(/[;\t\r\n]+/);
        expect(cells.filter((cell) => FORMULA.test(cell.replace(/^"+/, '')))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

it('A negative amount stays a number, and a text of the same characters becomes none', () => {
  expect(written([{ id: 'a', amount: -1250, text: '-1250' }])).toBe(
    "id,text,amount,yes,more\r\na,'-1250,-1250,,\r\n",
  );
});

it('A page of any length has one header line, an empty page too', () => {
  for (const length of [0, 1, 19, 20, 21, 40, 100]) {
    const page = Array.from({ length }, (_, index) => ({ id: `trx_${index}` }));
    const { columns: header, rows } = readCsv(written(page));
    expect([header.length, rows.map(([id]) => id)]).toEqual([5, page.map(({ id }) => id)]);
  }
});
