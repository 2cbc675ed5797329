import type { Language } from '../language/language.js';
import type { Choice } from './countries.js';
import { SUBDIVISIONS } from './subdivisions.table.js';

/** Undefined for a country whose states are typed as text. */
export function subdivisionsOf(countryCode: string, language: Language): readonly Choice[] | undefined {
  const rows = SUBDIVISIONS[countryCode];
  if (!rows) return undefined;
  const { compare } = new Intl.Collator(language);
  return rows
    .map(([code, english, french = english]) => ({ code, name: language === 'fr' ? french : english }))
    .sort((a, b) => compare(a.name, b.name));
}
