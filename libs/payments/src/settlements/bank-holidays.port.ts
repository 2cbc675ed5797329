import type { Currency } from '@tillstream/domain';

/** The dates (`YYYY-MM-DD`) of a year on which banks do not settle the currency. Weekends may be left out. */
export type BankHolidays = (currency: Currency, year: number) => Promise<readonly string[]>;
