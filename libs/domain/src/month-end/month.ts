import { startOfDate } from '../settlement/funding-date.js';

/* Months as texts, `YYYY-MM`. */

/** Of a date, `YYYY-MM-DD`. */
export function monthOfDate(date: string): string {
  return date.slice(0, 'YYYY-MM'.length);
}

/** @throws RangeError for a text that is no month */
export function nextMonth(month: string): string {
  return addMonths(month, 1);
}

/** The month that is `count` months later; earlier if negative. @throws RangeError for a text that is no month */
export function addMonths(month: string, count: number): string {
  const [, year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month) ?? [];
  if (year === undefined) throw new RangeError(`"${month}" is no month`);
  const months = Number(year) * 12 + Number(number) - 1 + count;
  const [yearText, numberText] = [String(Math.floor(months / 12)), String((months % 12) + 1)];
  return `${yearText.padStart(4, '0')}-${numberText.padStart(2, '0')}`;
}

/** The first instant after the month in the zone, ms since 1970. @throws RangeError */
export function endOfMonth(month: string, timeZone: string): number {
  return startOfDate(`${nextMonth(month)}-01`, timeZone);
}
