import type { MonthReport } from '../month.report.js';
import { chart } from './chart.js';
import { formatsOf, monthName, timeText } from './formats.js';
import { html, Markup, type Content } from './markup.js';
import { STYLES } from './styles.js';
import {
  paidOut,
  cardTable,
  dayTable,
  feeTypeTable,
  fundingTable,
  lineTable,
  settlementTable,
} from './tables.js';

export interface PageFacts {
  /** `YYYY-MM` */
  readonly month: string;
  readonly currency: string;
  readonly timeZone: string;
  /** Of the amounts. */
  readonly locale: string;
  readonly merchantId: string | undefined;
  readonly merchantName: string | undefined;
  /** RFC 3339, if the report is of an earlier time. */
  readonly asOf: string | undefined;
  /** RFC 3339, when it was read. */
  readonly readAt: string;
  readonly differences: readonly string[];
}

/** Sentences on a page; all are printed by the command. */
const DIFFERENCES_SHOWN = 50;

/** A whole page that loads nothing. Everything that comes from outside is escaped. */
export function settlementPage(report: MonthReport, facts: PageFacts): string {
  const { month, currency, locale, timeZone } = facts;
  const formats = formatsOf(locale, currency);
  const context = { formats, timeZone };
  const title = `Settlements of ${monthName(month)}, ${currency}`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <style>
          ${new Markup(STYLES)}
        </style>
      </head>
      <body>
        <header>
          <h1>${title}</h1>
          <p>${facts.merchantName} <span class="id quiet">${facts.merchantId}</span></p>
          <p class="quiet">${whenText(facts)}</p>
        </header>
        <main>
          ${problems(facts.differences)} ${keyFigures(report, context)}
          <h2>Each day</h2>
          ${legend(report)}
          <figure class="scroll" role="region" aria-label="Chart" tabindex="0">
            ${chart(report.days, formats)}
          </figure>
          <h2>Day by day</h2>
          ${dayTable(report, context)}
          <h2>Settlements</h2>
          ${settlementTable(report, context)}
          <div class="columns">
            <section>
              <h2>Lines</h2>
              ${lineTable(report, context)}
            </section>
            <section>
              <h2>Funding</h2>
              ${fundingTable(report, context)}
            </section>
            <section>
              <h2>Fees by type</h2>
              ${feeTypeTable(report, context)} ${feeNote(report, context)}
            </section>
          </div>
          <h2>Fees by card type</h2>
          ${cardTable(report, context)}
        </main>
        <footer class="quiet">
          <p>
            Every total is calculated from the settled transactions and fee charges, and compared with what
            each settlement says${facts.differences.length === 0 ? ': all are equal' : ''}. A settlement
            belongs to the month in which it was created; what is sold after the last cut-off is in the next
            one.
          </p>
        </footer>
      </body>
    </html>`;
  return `${page.text}\n`;
}

function whenText({ timeZone, asOf, readAt }: PageFacts): string {
  const read = `read on ${timeText(readAt, timeZone).replace(' ', ' at ')}`;
  const state = asOf === undefined ? read : `as of ${asOf}, ${read}`;
  return `Days and times are those of ${timeZone}; ${state}.`;
}

function problems(differences: readonly string[]): Markup | undefined {
  if (differences.length === 0) return undefined;
  const more = differences.length - DIFFERENCES_SHOWN;
  return html`<section class="problems" role="alert">
    <h2>This report is not right</h2>
    <p>What settlements say differs from their rows:</p>
    <ul>
      ${differences.slice(0, DIFFERENCES_SHOWN).map((one) => html`<li>${one}</li>`)}
      ${more > 0 ? html`<li>and ${more} more</li>` : undefined}
    </ul>
  </section>`;
}

type Context = Parameters<typeof dayTable>[1];

function keyFigures({ totals, funded, pending, pendingFees }: MonthReport, { formats }: Context): Markup {
  const fact = (name: string, shown: Content, isMain = false): Markup =>
    html`<div ${isMain ? html`class="main"` : undefined}>
      <dt>${name}</dt>
      <dd>${shown}</dd>
    </div>`;
  const { amount } = formats;
  return html`<dl class="facts">
    ${fact('Gross', amount(totals.gross))} ${fact('Refunds', amount(-totals.refunds))}
    ${fact('Fees', amount(-totals.fees))} ${fact('Adjustments', amount(totals.adjustments))}
    ${fact('Paid out', amount(totals.net), true)} ${fact('Funded', paidOut(funded.amount, formats))}
    ${fact('Pending', paidOut(pending.amount, formats))}
    ${pendingFees.count > 0 ? fact('Fees not charged yet', amount(pendingFees.amount)) : undefined}
  </dl>`;
}

function legend({ days }: MonthReport): Markup {
  const has = (value: (day: MonthReport['totals']) => boolean): boolean => days.some(value);
  const entry = (name: string, text: string): Markup =>
    html`<li>
      <svg viewBox="0 0 14 14" aria-hidden="true">
        <rect class="${name}" x="1" y="1" width="12" height="12" />
      </svg>
      ${text}
    </li>`;
  return html`<ul class="legend">
    ${entry('gross', 'Gross')} ${entry('refunds', 'Refunds')} ${entry('fees', 'Fees')}
    ${has(({ adjustments }) => adjustments < 0) ? entry('debits', 'Returns, chargebacks and other debits') : undefined}
    ${has(({ adjustments }) => adjustments > 0) ? entry('credits', 'Other credits') : undefined}
    <li>
      <svg viewBox="0 0 14 14" aria-hidden="true"><circle class="net" cx="7" cy="7" r="5" /></svg>
      Paid out
    </li>
  </ul>`;
}

/** With `Gross` funding fees are not taken off. */
function feeNote({ totals, pendingFees }: MonthReport, { formats }: Context): Markup | undefined {
  if (totals.feesOfMonth === 0) return undefined;
  const { amount } = formats;
  return html`<p class="quiet">
    ${amount(totals.feesOfMonth)} of these are not taken off the settlements, but charged at the end of the
    month; ${amount(pendingFees.amount)} are not charged yet.
  </p>`;
}
