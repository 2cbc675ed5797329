import { readFileSync } from 'node:fs';

/* Reads the tables of `docs/worked-month.md`. A page that has not the form that is read here throws. */

const PAGE = new URL('../../../../../docs/worked-month.md', import.meta.url);
const YEAR = 2026;
const MONTHS: readonly string[] = ['Nov', 'Dec'];
const WEEKDAYS: readonly string[] = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

export type Row = readonly string[];

interface Table {
  /** Of level 2 and 3. */
  readonly part: string;
  readonly section: string;
  readonly rows: readonly Row[];
}

export interface PricingVersion {
  readonly validFrom: string;
  readonly monthlyFee: number;
  readonly returnFee: number;
  readonly chargebackFee: number;
  readonly rules: readonly object[];
}

export interface MonthEvent {
  /** RFC 3339. */
  readonly at: string;
  /** Such as `S1`; empty if the bank does it. */
  readonly number: string;
  readonly what: string;
  readonly card: string;
  readonly amount: number;
  readonly tip: number;
}

export interface MonthDay {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly items: readonly Row[];
  readonly settlements: readonly Row[];
}

/** A merchant's month in one currency. */
export interface MonthPart {
  readonly title: string;
  readonly currency: 'USD' | 'CAD';
  readonly fundingType: 'Net' | 'Gross';
  readonly events: readonly MonthEvent[];
  readonly days: readonly MonthDay[];
  readonly totals: readonly Row[];
  readonly feesByType: readonly Row[];
  readonly feesByCard: readonly Row[];
}

export interface WorkedMonth {
  /** Amounts in sentences that no table has. */
  readonly unknownAmounts: readonly string[];
  readonly versions: readonly PricingVersion[];
  readonly parts: readonly MonthPart[];
}

export function readWorkedMonth(text = readFileSync(PAGE, 'utf8')): WorkedMonth {
  const tables = tablesIn(text);
  const titles = [...new Set(tables.map(({ part }) => part))].filter((title) => title !== 'Prices');
  return {
    unknownAmounts: unknownAmountsIn(text),
    versions: versionsIn(tables.filter(({ part }) => part === 'Prices')),
    parts: titles.map((title) =>
      partOf(
        title,
        tables.filter(({ part }) => part === title),
      ),
    ),
  };
}

/** `−1,234.56` in cents. @throws Error for any other text */
export function cents(text: string): number {
  if (!/^−?(\d{1,3}(,\d{3})*)\.\d\d$/.test(text)) throw new Error(`"${text}" is no amount`);
  return Number(text.replace('−', '-').replace(/[,.]/g, ''));
}

/** `Mon, Nov 2` as `2026-11-02`. @throws Error if the weekday is another */
export function dateOf(text: string): string {
  const [, weekday = '', month = '', day = ''] = /^(\w{3}), (\w{3}) (\d{1,2})$/.exec(text) ?? [];
  const date = new Date(Date.UTC(YEAR, 10 + MONTHS.indexOf(month), Number(day)));
  if (!MONTHS.includes(month) || WEEKDAYS[date.getUTCDay()] !== weekday) {
    throw new Error(`"${text}" is no day of ${YEAR}`);
  }
  return date.toISOString().slice(0, 10);
}

/** The reverse of `dateOf`. */
export function dayText(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  return `${WEEKDAYS[day.getUTCDay()]}, ${MONTHS[day.getUTCMonth() - 10]} ${day.getUTCDate()}`;
}

/** So a sentence that repeats a figure is wrong as soon as the figure is changed. */
function unknownAmountsIn(text: string): string[] {
  const isOfTable = (line: string): boolean => line.startsWith('|');
  const amountsIn = (lines: readonly string[]): string[] => lines.join(' ').match(/\d[\d,]*\.\d{2,}/g) ?? [];
  const lines = text.split('\n');
  const known = new Set(amountsIn(lines.filter(isOfTable)));
  return amountsIn(lines.filter((line) => !isOfTable(line))).filter((amount) => !known.has(amount));
}

function tablesIn(text: string): Table[] {
  const tables: { part: string; section: string; rows: Row[] }[] = [];
  let [part, section, before] = ['', '', ''];
  for (const line of text.split('\n')) {
    const [, level, title = ''] = /^(##|###) (.*)$/.exec(line) ?? [];
    if (level === '##') [part, section] = [title, ''];
    if (level === '###') section = title;
    if (line.startsWith('|')) {
      if (!before.startsWith('|')) tables.push({ part, section, rows: [] });
      tables.at(-1)?.rows.push(
        line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      );
    }
    before = line;
  }
  // Without the head and the line below it.
  return tables.map((table) => ({ ...table, rows: table.rows.slice(2) }));
}

function versionsIn([summary, ...ofRules]: readonly Table[]): PricingVersion[] {
  return (summary?.rows ?? []).map(([, from = '', monthly = '', returned = '', chargeback = ''], index) => ({
    validFrom: dateOf(from),
    monthlyFee: cents(monthly),
    returnFee: cents(returned),
    chargebackFee: cents(chargeback),
    rules: (ofRules[index]?.rows ?? []).map(([feeType, channel, card, rate = '', fixed = '']) => ({
      feeType,
      rateBps: cents(rate.replace(' %', '')),
      fixedAmount: cents(fixed),
      ...(channel !== 'any' && { channel }),
      ...(card !== 'any' && { cardType: card }),
    })),
  }));
}

function partOf(title: string, tables: readonly Table[]): MonthPart {
  const [first, ...others] = tables;
  const [totals, feesByType, feesByCard] = others.splice(-3);
  const days = new Map<string, (readonly Row[])[]>();
  for (const { section, rows } of others) days.set(section, [...(days.get(section) ?? []), rows]);
  return {
    title,
    currency: title.startsWith('US') ? 'USD' : 'CAD',
    fundingType: title.endsWith('Net') ? 'Net' : 'Gross',
    events: (first?.rows ?? []).map(eventOf),
    days: [...days].map(([section, [items = [], settlements = []]]) => ({
      date: dateOf(section.replace(/^(\w{3})\w*, (\w{3})\w* /, '$1, $2 ')),
      items,
      settlements,
    })),
    totals: totals?.rows ?? [],
    feesByType: feesByType?.rows ?? [],
    feesByCard: feesByCard?.rows ?? [],
  };
}

const absent = (text: string): boolean => text === '–';

/** New York is five hours behind UTC from the first morning of the month on. */
function eventOf([
  day = '',
  time = '',
  number = '',
  what = '',
  card = '',
  amount = '',
  tip = '',
]: Row): MonthEvent {
  return {
    at: new Date(`${dateOf(day)}T${time}:00-05:00`).toISOString(),
    number: absent(number) ? '' : number,
    what,
    card: absent(card) ? '' : card,
    amount: absent(amount) ? 0 : cents(amount),
    tip: absent(tip) ? 0 : cents(tip),
  };
}
