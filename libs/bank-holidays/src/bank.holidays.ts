import type Holidays from 'date-holidays';

/*
 * The days on which the payment systems of the US and Canada are closed (`docs/spec/settlement.md#settlements`). The
 * library knows public holidays and their dates; which of them close the banks, and what happens on a weekend, is here.
 */

export type SettlementCurrency = 'USD' | 'CAD';

interface Calendar {
  /** Country and region of the library, and the names that it gives there. */
  readonly sources: readonly (readonly [country: string, region: string, names: readonly string[]])[];
  /** The day that a holiday on a weekend closes instead. A Monday or Tuesday that is taken already moves on. */
  readonly saturdayMoves: boolean;
}

const CALENDARS: Readonly<Record<SettlementCurrency, Calendar>> = {
  // Federal Reserve Banks: a holiday on a Sunday closes them on Monday, one on a Saturday on no other day.
  USD: {
    saturdayMoves: false,
    sources: [
      [
        'US',
        '',
        [
          "New Year's Day",
          'Martin Luther King Jr. Day',
          "Washington's Birthday",
          'Memorial Day',
          'Juneteenth',
          'Independence Day',
          'Labor Day',
          'Columbus Day',
          'Veterans Day',
          'Thanksgiving Day',
          'Christmas Day',
        ],
      ],
    ],
  },
  // Bank of Canada, whose holidays are those of the clearing of payments.
  CAD: {
    saturdayMoves: true,
    sources: [
      [
        'CA',
        'ON',
        [
          "New Year's Day",
          'Family Day',
          'Good Friday',
          'Victoria Day',
          'Canada Day',
          'Civic Holiday',
          'Labour Day',
          'Thanksgiving',
          'Remembrance Day',
          'Christmas Day',
          'Boxing Day',
        ],
      ],
      ['CA', 'BC', ['National Day for Truth and Reconciliation']],
    ],
  },
};

/** Since then the banks of both countries have had the holidays of today. */
const FIRST_YEAR = 2022;
const LAST_YEAR = 2100;
const DAY_MS = 86_400_000;

const known = new Map<string, Promise<readonly string[]>>();

/**
 * The dates (`YYYY-MM-DD`, weekdays only) of a year on which banks do not settle a currency. The first call loads the
 * library, which takes some hundred ms.
 * @throws RangeError for a year before 2022 or after 2100; Error if the library lacks one of the holidays
 */
export function bankHolidays(currency: SettlementCurrency, year: number): Promise<readonly string[]> {
  if (!Number.isInteger(year) || year < FIRST_YEAR || year > LAST_YEAR) {
    return Promise.reject(new RangeError(`the bank holidays of ${year} are not known`));
  }
  const key = `${currency} ${year}`;
  const found = known.get(key) ?? readHolidays(CALENDARS[currency], year);
  known.set(key, found);
  found.catch(() => known.delete(key));
  return found;
}

async function readHolidays(calendar: Calendar, year: number): Promise<readonly string[]> {
  const { default: Library } = await import('date-holidays');
  const dates = calendar.sources.flatMap(([country, region, names]) => {
    const library = new Library(country, region, { timezone: 'UTC' });
    return datesOf(library, year, names);
  });
  return observed(dates.sort(), calendar.saturdayMoves);
}

/** @throws Error if one is missing, so that a renamed holiday is never taken for a business day */
function datesOf(library: Holidays, year: number, names: readonly string[]): string[] {
  const all = library.getHolidays(year).filter(({ substitute }) => !substitute);
  return names.map((name) => {
    const holiday = all.find((one) => one.name === name);
    if (!holiday) throw new Error(`date-holidays has no ${name} in ${year}`);
    return holiday.date.slice(0, 10);
  });
}

/** `dates` in their order, so that of two holidays on one weekend the first takes Monday and the second Tuesday. */
function observed(dates: readonly string[], saturdayMoves: boolean): readonly string[] {
  const taken = new Set(dates.filter((date) => !isWeekend(date)));
  const closed: string[] = [];
  for (const date of dates) {
    if (!isWeekend(date)) {
      closed.push(date);
      continue;
    }
    if (weekday(date) === 6 && !saturdayMoves) continue;
    let moved = date;
    while (isWeekend(moved) || taken.has(moved)) moved = nextDay(moved);
    taken.add(moved);
    closed.push(moved);
  }
  return closed.sort();
}

const weekday = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();
const isWeekend = (date: string): boolean => weekday(date) === 0 || weekday(date) === 6;
const nextDay = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
