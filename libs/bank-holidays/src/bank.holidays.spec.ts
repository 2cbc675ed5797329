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
  ])('of %i are those of the Federal Reserve', async (year, days) => {
    expect(await bankHolidays('USD', year)).toEqual(dates(year, days));
  });
});

describe('the bank holidays of Canada', () => {
  /* As the Bank of Canada announced them; one on a weekend closes the next weekday that is free. */
  it.each([
    [2022, '01-03 02-21 04-15 05-23 07-01 08-01 09-05 09-30 10-10 11-11 12-26 12-27'],
    [2023, '01-02 02-20 04-07 05-22 07-03 08-07 09-04 10-02 10-09 11-13 12-25 12-26'],
    [2024, '01-01 02-19 03-29 05-20 07-01 08-05 09-02 09-30 10-14 11-11 12-25 12-26'],
    [2025, '01-01 02-17 04-18 05-19 07-01 08-04 09-01 09-30 10-13 11-11 12-25 12-26'],
    [2026, '01-01 02-16 04-03 05-18 07-01 08-03 09-07 09-30 10-12 11-11 12-25 12-28'],
    [2027, '01-01 02-15 03-26 05-24 07-01 08-02 09-06 09-30 10-11 11-11 12-27 12-28'],
  ])('of %i are those of the Bank of Canada', async (year, days) => {
    expect(await bankHolidays('CAD', year)).toEqual(dates(year, days));
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
