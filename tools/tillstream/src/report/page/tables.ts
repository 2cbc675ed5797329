import type { SettlementSummary } from '@tillstream/contracts';
import type { MonthReport } from '../month.report.js';
import { FEE_TYPES } from '../month.types.js';
import { dayName, shortDay, timeText, type Formats } from './formats.js';
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
  const row = (cells: readonly Content[]): Markup =>
    html`<tr>
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
      ${
        foot &&
        html`<tfoot>
          ${row(foot)}
        </tfoot>`
      }
    </table>
  </div>`;
}

/** Of what is paid out: a negative amount has a sign, and its own colour. */
export function paidOut(cents: number, { amount }: Formats): Content {
  return cents < 0 ? html`<span class="negative">${amount(cents)}</span>` : amount(cents);
}

/** Nothing is less visible than something. */
function part(cents: number, { amount }: Formats): Content {
  return cents === 0 ? html`<span class="none">${amount(0)}</span>` : amount(cents);
}

const FIGURES = [text('Day'), number('Settlements'), number('Transactions')];

export function dayTable({ days, totals }: MonthReport, { formats }: TableContext): Markup {
  const { count } = formats;
  const cells = (one: MonthReport['totals'], head: Content): Content[] => [
    head,
    count(one.settlements),
    count(one.transactions),
    ...[one.gross, -one.refunds, -one.fees, one.adjustments].map((cents) => part(cents, formats)),
    paidOut(one.net, formats),
  ];
  return table({
    name: 'Day by day',
    caption: 'The figures of the chart. Days without a settlement are left out.',
    columns: [...FIGURES, ...['Gross', 'Refunds', 'Fees', 'Adjustments', 'Paid out'].map(number)],
    rows: days.filter(({ settlements }) => settlements > 0).map((one) => cells(one, dayName(one.day))),
    foot: cells(totals, 'Month'),
  });
}

export function settlementTable(
  { settlements, totals }: MonthReport,
  { formats, timeZone }: TableContext,
): Markup {
  const { count } = formats;
  const flag = (net: number): Content =>
    net < 0 ? html` <span class="flag negative">negative</span>` : undefined;
  return table({
    name: 'Settlements',
    caption: 'In the order of their creation. A pending one has its expected date.',
    columns: [
      ...[text('Created'), text('Settlement'), number('Transactions')],
      ...['Gross', 'Refunds', 'Fees', 'Adjustments', 'Paid out'].map(number),
      text('Funding'),
    ],
    rows: settlements.map(({ summary, figures }) => [
      timeText(summary.createdAt, timeZone),
      html`<span class="id">${summary.id}</span>${flag(figures.net)}`,
      count(summary.transactionCount),
      ...[figures.gross, -figures.refunds, -figures.fees, figures.adjustments].map((cents) =>
        part(cents, formats),
      ),
      paidOut(figures.net, formats),
      html`<span class="whole">${fundingText(summary, timeZone)}</span>`,
    ]),
    foot: [
      'Month',
      `${count(settlements.length)} settlements`,
      count(totals.transactions),
      ...[totals.gross, -totals.refunds, -totals.fees, totals.adjustments].map((cents) =>
        part(cents, formats),
      ),
      paidOut(totals.net, formats),
      '',
    ],
  });
}

function fundingText({ fundedAt, expectedFundingDate }: SettlementSummary, timeZone: string): string {
  if (fundedAt === undefined) return `pending, ${shortDay(expectedFundingDate)}`;
  return `funded ${shortDay(timeText(fundedAt, timeZone).slice(0, 10))}`;
}

export function lineTable({ lines, totals }: MonthReport, { formats }: TableContext): Markup {
  return table({
    name: 'What the settlements consist of',
    caption: 'The lines of all settlements. They add up to what is paid out.',
    columns: [text('Line'), number('Number'), number('Amount')],
    rows: lines.map(({ description, count, amount }) => [
      description,
      formats.count(count),
      formats.amount(amount),
    ]),
    foot: ['Paid out', '', paidOut(totals.net, formats)],
  });
}

export function fundingTable({ pending, funded, totals }: MonthReport, { formats }: TableContext): Markup {
  const { count } = formats;
  const row = (head: string, one: MonthReport['pending']): Content[] => [
    head,
    count(one.count),
    paidOut(one.amount, formats),
    count(one.negative.count),
    paidOut(one.negative.amount, formats),
  ];
  return table({
    name: 'Funding',
    caption: 'A negative settlement is a debit.',
    columns: [text('State'), ...['Settlements', 'Amount', 'Negative', 'Their amount'].map(number)],
    rows: [row('Funded', funded), row('Pending', pending)],
    foot: [
      'Month',
      count(totals.settlements),
      paidOut(totals.net, formats),
      count(pending.negative.count + funded.negative.count),
      paidOut(pending.negative.amount + funded.negative.amount, formats),
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
