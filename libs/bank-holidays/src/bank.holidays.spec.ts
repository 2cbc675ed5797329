import { bankHolidays } from './bank.holidays.js';

const dates = (year: number, days: string): string[] => days.split(' ').map((day) => `${year}-${day}`);

describe('the bank holidays of the US', () => {
  /* As the Federal Reserve Banks announced them, without those on a Saturday, which close them on no other day. */
  it.each([
    [2022, '01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26'],
    [2023, '01-02 01-16 02-20 05-29 06-19 07-04 09-04 10-09 11-23 12-25'],
    [2024, '01-01 01-15 02-19 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25'],
    [2025, '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25'],
    [2026, '01-01 01-19 02-16 05-25 06-19 09-07 10-12 11-11 11-26 12-25'],
    [2027, '01-01 01-18 02-15 05-31 07-05 09-06 10-11 11-11 11-25'],
    [2028, '01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-23 12-25'],
    [2029, '01-01 01-15 02-19 05-28 06-19 07-04 09-03 10-08 11-12 11-22 12-25'],
    [2030, '01-01 01-21 02-18 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25'],
  ])('of %i are those of the Federal Reserve', async (year, days) => {
    expect(await bankHolidays('USD', year)).toEqual(dates(year, days));
  });
});

describe('the bank holidays of Canada', () => {
  /*
   * As the Bank of Canada announced them, and for years that it has not announced yet, by its rules: a holiday on a weekend
   * closes the next weekday that is free. Closings of its offices in one province are not among them.
   */
  it.each([
    [2022, '01-03 02-21 04-15 05-23 07-01 08-01 09-05 09-30 10-10 11-11 12-26 12-27'],
    [2023, '01-02 02-20 04-07 05-22 07-03 08-07 09-04 10-02 10-09 11-13 12-25 12-26'],
    [2024, '01-01 02-19 03-29 05-20 07-01 08-05 09-02 09-30 10-14 11-11 12-25 12-26'],
    [2025, '01-01 02-17 04-18 05-19 07-01 08-04 09-01 09-30 10-13 11-11 12-25 12-26'],
    [2026, '01-01 02-16 04-03 05-18 07-01 08-03 09-07 09-30 10-12 11-11 12-25 12-28'],
    [2027, '01-01 02-15 03-26 05-24 07-01 08-02 09-06 09-30 10-11 11-11 12-27 12-28'],
    [2028, '01-03 02-21 04-14 05-22 07-03 08-07 09-04 10-02 10-09 11-13 12-25 12-26'],
    [2029, '01-01 02-19 03-30 05-21 07-02 08-06 09-03 10-01 10-08 11-12 12-25 12-26'],
    [2030, '01-01 02-18 04-19 05-20 07-01 08-05 09-02 09-30 10-14 11-11 12-25 12-26'],
  ])('of %i are those of the Bank of Canada', async (year, days) => {
    expect(await bankHolidays('CAD', year)).toEqual(dates(year, days));
  });
});

describe('on days that are holidays elsewhere', () => {
  it.each([
    ['USD', '2024-03-29', 'Good Friday'],
    ['USD', '2026-07-03', 'the Friday before the 4th of July on a Saturday'],
    ['USD', '2027-06-18', 'the Friday before Juneteenth on a Saturday'],
    ['USD', '2027-12-24', 'the Friday before Christmas on a Saturday'],
    ['USD', '2027-12-31', 'the Friday before New Year’s Day on a Saturday'],
    ['USD', '2028-11-10', 'the Friday before Veterans Day on a Saturday'],
    ['USD', '2025-11-28', 'the day after Thanksgiving'],
    ['USD', '2025-12-26', 'the day after Christmas'],
    ['CAD', '2024-04-01', 'Easter Monday'],
    ['CAD', '2026-01-02', 'the day after New Year’s Day, in Quebec'],
    ['CAD', '2026-06-24', 'the Fête nationale of Quebec'],
    ['CAD', '2025-11-27', 'Thanksgiving of the US'],
    ['CAD', '2025-06-19', 'Juneteenth'],
  ] as const)('banks settle %s on %s, %s', async (currency, day, _what) => {
    expect(await bankHolidays(currency, Number(day.slice(0, 4)))).not.toContain(day);
  });
});

/* An independent calculation from the rules, without a library. */

type Rule = (year: number) => string;

const utcDay = (year: number, month: number, day: number): Date => new Date(Date.UTC(year, month - 1, day));
const text = (date: Date): string => date.toISOString().slice(0, 10);
const fixed =
  (month: number, day: number): Rule =>
  (year) =>
    text(utcDay(year, month, day));
/** `nth` from 1; the weekday is 0 on a Sunday. */
const nthWeekday =
  (month: number, weekday: number, nth: number): Rule =>
  (year) => {
    const first = utcDay(year, month, 1).getUTCDay();
    return text(utcDay(year, month, 1 + ((weekday - first + 7) % 7) + (nth - 1) * 7));
  };
/** The last Monday up to a day. */
const mondayUpTo =
  (month: number, day: number): Rule =>
  (year) =>
    text(utcDay(year, month, day - ((utcDay(year, month, day).getUTCDay() + 6) % 7)));

/** Gauss's rule for the Gregorian Easter, with its two exceptions. */
const goodFriday: Rule = (year) => {
  const century = Math.floor(year / 100);
  const moon = (15 + century - Math.floor(century / 4) - Math.floor((13 + 8 * century) / 25)) % 30;
  const d = (19 * (year % 19) + moon) % 30;
  const e = (2 * (year % 4) + 4 * (year % 7) + 6 * d + ((4 + century - Math.floor(century / 4)) % 7)) % 7;
  const isException = e === 6 && (d === 29 || (d === 28 && year % 19 > 10));
  return text(utcDay(year, 3, 22 + d + e - (isException ? 7 : 0) - 2));
};

const MONDAY = 1;
const THURSDAY = 4;
const FEDERAL_RESERVE: readonly Rule[] = [
  fixed(1, 1),
  nthWeekday(1, MONDAY, 3),
  nthWeekday(2, MONDAY, 3),
  mondayUpTo(5, 31),
  fixed(6, 19),
  fixed(7, 4),
  nthWeekday(9, MONDAY, 1),
  nthWeekday(10, MONDAY, 2),
  fixed(11, 11),
  nthWeekday(11, THURSDAY, 4),
  fixed(12, 25),
];
const BANK_OF_CANADA: readonly Rule[] = [
  fixed(1, 1),
  nthWeekday(2, MONDAY, 3),
  goodFriday,
  mondayUpTo(5, 24),
  fixed(7, 1),
  nthWeekday(8, MONDAY, 1),
  nthWeekday(9, MONDAY, 1),
  fixed(9, 30),
  nthWeekday(10, MONDAY, 2),
  fixed(11, 11),
];

const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();
const later = (date: string, days: number): string =>
  text(new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000));
const toMonday = (date: string): string => later(date, [1, 0, 0, 0, 0, 0, 2][weekdayOf(date)] ?? 0);

function federalReserve(year: number): string[] {
  const days = FEDERAL_RESERVE.map((rule) => rule(year)).filter((date) => weekdayOf(date) !== 6);
  return days.map(toMonday).sort();
}

function bankOfCanada(year: number): string[] {
  // Christmas Day and Boxing Day take two weekdays: 25 and 26, or those after the weekend.
  const christmas = { 5: [25, 28], 6: [27, 28], 0: [26, 27] }[weekdayOf(`${year}-12-25`)] ?? [25, 26];
  const days = BANK_OF_CANADA.map((rule) => toMonday(rule(year)));
  return [...days, ...christmas.map((day) => `${year}-12-${day}`)].sort();
}

describe('by the rules', () => {
  it('the bank holidays of every year until 2100 are the same without the library', async () => {
    for (let year = 2022; year <= 2100; year++) {
      expect(await bankHolidays('USD', year)).toEqual(federalReserve(year));
      expect(await bankHolidays('CAD', year)).toEqual(bankOfCanada(year));
    }
  });
});

it('the bank holidays of every year that is known can be calculated', async () => {
  for (let year = 2022; year <= 2100; year++) {
    for (const currency of ['USD', 'CAD'] as const) {
      const days = await bankHolidays(currency, year);
      expect(days.length).toBeGreaterThan(7);
      for (const day of days) expect(new Date(`${day}T00:00:00Z`).getUTCDay() % 6).not.toBe(0);
    }
  }
});

it('the bank holidays of a year that is not known are refused', async () => {
  for (const year of [2021, 2101, 2026.5, Number.NaN]) {
    await expect(bankHolidays('USD', year)).rejects.toThrow(RangeError);
  }
});
