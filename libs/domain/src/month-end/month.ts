import { startOfDate } from '../settlement/funding-date.js';

/* Months as texts, `YYYY-MM`. */

/** Of a date, `YYYY-MM-DD`. */
export function monthOfDate(date: string): string {
  return date.slice(0, 'YYYY-MM'.length);
}

/** @throws RangeError for a text that is no month */
export function nextMonth(month: string): string {
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  if (year === undefined) throw new RangeError(`"${month}" is no month`);
  const isDecember = number === '12';
  const next = isDecember ? 1 : Number(number) + 1;
  return `${String(Number(year) + Number(isDecember)).padStart(4, '0')}-${String(next).padStart(2, '0')}`;
}

/** The first instant after the month in the zone, ms since 1970. @throws RangeError */
export function endOfMonth(month: string, timeZone: string): number {
  return startOfDate(`${nextMonth(month)}-01`, timeZone);
}
