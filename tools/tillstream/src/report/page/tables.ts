import type { MonthReport } from '../month.report.js';
import { FEE_TYPES } from '../month.types.js';
import { dayName, timeText, type Formats } from './formats.js';
import { html, type Content, type Markup } from './markup.js';

export interface TableContext {
  readonly formats: Formats;
  readonly timeZone: string;
}

interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
}

interface Table {
  readonly name: string;
  readonly caption: string;
  /** The first is the head of each row. */
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Content[])[];
  readonly foot?: readonly Content[];
}

const text = (title: string): Column => ({ title });
const number = (title: string): Column => ({ title, isNumber: true });

/** It scrolls sideways by itself, also with the keyboard. */
function table({ name, caption, columns, rows, foot }: Table): Markup {
  const kind = (index: number): Content => (columns[index]?.isNumber ? html` class="number"` : undefined);
  const row = (cells: readonly Content[]): Markup => html`<tr>
    ${cells.map((cell, index) =>
      index === 0
        ? html`<th scope="row" ${kind(index)}>${cell}</th>`
        : html`<td ${kind(index)}>${cell}</td>`,
    )}
  </tr>`;
  return html`<div class="scroll" role="region" aria-label="${name}" tabindex="0">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(({ title }, index) => html`<th scope="col" ${kind(index)}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(row)}
      </tbody>
      ${foot && html`<tfoot>${row(foot)}</tfoot>`}
    </table>
  </div>`;
}

/** A negative amount has a sign, and its own colour. */
export function amountCell(cents: number, { amount }: Formats): Content {
  return cents < 0 ? html`<span class="negative">${amount(cents)}</span>` : amount(cents);
}

const FIGURES = [text('Day'), number('Settlements'), number('Transactions')];

export function dayTable({ days, totals }: MonthReport, { formats }: TableContext): Markup {
  const { amount, count } = formats;
  const cells = (one: MonthReport['totals'], head: Content): Content[] => [
    head,
    count(one.settlements),
    count(one.transactions),
    amount(one.gross),
    amount(-one.refunds),
    amount(-one.fees),
    amountCell(one.adjustments, formats),
    amountCell(one.net, formats),
  ];
  return table({
    name: 'Day by day',
    caption: 'The figures of the chart. Days without a settlement are left out.',
    columns: [...FIGURES, ...['Gross', 'Refunds', 'Fees', 'Adjustments', 'Paid out'].map(number)],
    rows: days.filter(({ settlements }) => settlements > 0).map((one) => cells(one, dayName(one.day))),
    foot: cells(totals, 'Month'),
  });
}

export function settlementTable({ settlements, totals }: MonthReport, { formats, timeZone }: TableContext): Markup {
  const { amount, count } = formats;
  const flag = (net: number): Content => (net < 0 ? html` <span class="flag negative">negative</span>` : undefined);
  return table({
    name: 'Settlements',
    caption: 'In the order of their creation.',
    columns: [
      ...[text('Created'), text('Settlement'), number('Transactions')],
      ...['Gross', 'Refunds', 'Fees', 'Adjustments', 'Paid out'].map(number),
      text('Funding'),
    ],
    rows: settlements.map(({ summary, figures }) => [
      timeText(summary.createdAt, timeZone),
      html`<span class="id">${summary.id}</span>${flag(figures.net)}`,
      count(summary.transactionCount),
      amount(figures.gross),
      amount(-figures.refunds),
      amount(-figures.fees),
      amountCell(figures.adjustments, formats),
      amountCell(figures.net, formats),
      summary.fundedAt === undefined
        ? `pending, expected ${summary.expectedFundingDate}`
        : `funded ${timeText(summary.fundedAt, timeZone).slice(0, 10)}`,
    ]),
    foot: [
      'Month',
      `${count(settlements.length)} settlements`,
      count(totals.transactions),
      ...[totals.gross, -totals.refunds, -totals.fees].map(amount),
      ...[totals.adjustments, totals.net].map((cents) => amountCell(cents, formats)),
      '',
    ],
  });
}

export function lineTable({ lines, totals }: MonthReport, { formats }: TableContext): Markup {
  return table({
    name: 'What the settlements consist of',
    caption: 'The lines of all settlements. They add up to what is paid out.',
    columns: [text('Line'), number('Number'), number('Amount')],
    rows: lines.map(({ description, count, amount }) => [
      description,
      formats.count(count),
      amountCell(amount, formats),
    ]),
    foot: ['Paid out', '', amountCell(totals.net, formats)],
  });
}

export function fundingTable({ pending, funded, totals }: MonthReport, { formats }: TableContext): Markup {
  const { count } = formats;
  const row = (head: string, one: MonthReport['pending']): Content[] => [
    head,
    count(one.count),
    amountCell(one.amount, formats),
    count(one.negative.count),
    amountCell(one.negative.amount, formats),
  ];
  return table({
    name: 'Funding',
    caption: 'A negative settlement is a debit.',
    columns: [text('State'), ...['Settlements', 'Amount', 'Negative', 'Their amount'].map(number)],
    rows: [row('Funded', funded), row('Pending', pending)],
    foot: [
      'Month',
      count(totals.settlements),
      amountCell(totals.net, formats),
      count(pending.negative.count + funded.negative.count),
      amountCell(pending.negative.amount + funded.negative.amount, formats),
    ],
  });
}

export function feeTypeTable({ feesByType }: MonthReport, { formats }: TableContext): Markup {
  const total = feesByType.reduce((sum, { amount }) => sum + amount, 0);
  return table({
    name: 'Fees by type',
    caption: 'A charge of a payment has a line of each type that fits it.',
    columns: [text('Type'), number('Lines'), number('Amount')],
    rows: feesByType.map(({ description, count, amount }) => [
      description,
      formats.count(count),
      formats.amount(amount),
    ]),
    foot: ['All fees', '', formats.amount(total)],
  });
}

export function cardTable({ cards }: MonthReport, { formats }: TableContext): Markup {
  const { amount, count } = formats;
  const sum = (value: (card: MonthReport['cards'][number]) => number): number =>
    cards.reduce((total, card) => total + value(card), 0);
  return table({
    name: 'Fees by card type',
    caption: 'Fees of sales and captures.',
    columns: [text('Card type'), number('Charges'), ...FEE_TYPES.map(number), number('Fees')],
    rows: cards.map(({ cardType, count: charges, byType, amount: fees }) => [
      cardType,
      count(charges),
      ...FEE_TYPES.map((type) => amount(byType[type])),
      amount(fees),
    ]),
    foot: [
      'All',
      count(sum((card) => card.count)),
      ...FEE_TYPES.map((type) => amount(sum((card) => card.byType[type]))),
      amount(sum((card) => card.amount)),
    ],
  });
}
