import { nextCutOff } from '../batch/index.js';
import { isBankChannel, type Channel } from '../shared/codes.js';

/*
 * When a settlement is expected to be funded (`docs/spec/settlement.md#settlements`). Dates are `YYYY-MM-DD` in the
 * merchant's time zone. Bank holidays come from outside.
 */

export type SettlementKind = 'Card' | 'Bank';

/** Which of a batch's settlements has the payments of a channel. */
export function settlementKindOf(channel: Channel): SettlementKind {
  return isBankChannel(channel) ? 'Bank' : 'Card';
}

/** Business days from the day of the cut-off to the funding. */
export const FUNDING_DAYS: Readonly<Record<SettlementKind, number>> = { Card: 1, Bank: 3 };

const DAY_MS = 86_400_000;

/**
 * The date that is `days` business days after `date`. Saturdays, Sundays and the holidays do not count.
 * @throws RangeError for a text that is no date, or a number of days below 1
 */
export function addBusinessDays(date: string, days: number, holidays: ReadonlySet<string>): string {
  if (!Number.isInteger(days) || days < 1) throw new RangeError(`${days} is no number of business days`);
  let left = days;
  for (let day = startOfUtcDay(date); ;) {
    day += DAY_MS;
    const next = dateOfUtcDay(day);
    if (isBusinessDay(next, holidays)) left -= 1;
    if (left === 0) return next;
  }
}

export function isBusinessDay(date: string, holidays: ReadonlySet<string>): boolean {
  const weekday = new Date(startOfUtcDay(date)).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !holidays.has(date);
}

/** The date that clocks in the zone show at an instant (ms since 1970). @throws RangeError for an unknown zone */
export function dateInZone(instant: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const shown = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${shown['year']}-${shown['month']}-${shown['day']}`;
}

/** The instant, ms since 1970, at which a date begins in the zone; after a skipped midnight or day, the next instant. */
export function startOfDate(date: string, timeZone: string): number {
  // No zone is two days ahead of UTC.
  for (let instant = startOfUtcDay(date) - 2 * DAY_MS; ;) {
    instant = nextCutOff(instant, timeZone, '00:00');
    if (dateInZone(instant, timeZone) >= date) return instant;
  }
}

export interface ExpectedFunding {
  readonly expectedFundingDate: string;
  /** RFC 3339: the beginning of that date in the merchant's zone. */
  readonly fundingDueAt: string;
}

/** `holidays`: of the year of the cut-off and of the next one. */
export function expectedFunding(
  kind: SettlementKind,
  { cutOffAt, timeZone }: { readonly cutOffAt: string; readonly timeZone: string },
  holidays: ReadonlySet<string>,
): ExpectedFunding {
  const closedOn = dateInZone(Date.parse(cutOffAt), timeZone);
  const expectedFundingDate = addBusinessDays(closedOn, FUNDING_DAYS[kind], holidays);
  const fundingDueAt = new Date(startOfDate(expectedFundingDate, timeZone)).toISOString();
  return { expectedFundingDate, fundingDueAt };
}

function startOfUtcDay(date: string): number {
  const day = Date.parse(`${date}T00:00:00.000Z`);
  if (Number.isNaN(day) || dateOfUtcDay(day) !== date) throw new RangeError(`"${date}" is no date`);
  return day;
}

function dateOfUtcDay(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}
