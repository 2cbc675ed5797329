import type { CurrencyCode } from '@tillstream/contracts';
import { CountryCodes } from 'validator/lib/isISO31661Alpha2.js';

export interface Choice {
  readonly code: string;
  readonly name: string;
}

const FIRST: readonly string[] = ['US', 'CA'];

/** All countries, the two of the currencies first, the others by their name. @param locale such as `fr-CA` */
export function countriesIn(locale: string): readonly Choice[] {
  const names = new Intl.DisplayNames([locale], { type: 'region' });
  const choice = (code: string): Choice => ({ code, name: names.of(code) ?? code });
  const { compare } = new Intl.Collator(locale);
  const others = [...CountryCodes]
    .filter((code) => !FIRST.includes(code))
    .map(choice)
    .sort((a, b) => compare(a.name, b.name));
  return [...FIRST.map(choice), ...others];
}

export function countryOf(currency: CurrencyCode): string {
  return currency === 'CAD' ? 'CA' : 'US';
}
