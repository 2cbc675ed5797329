import { isISO31661Alpha2 } from 'class-validator';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** ISO 3166-1 alpha-2: the codes that are officially assigned. */
export const COUNTRY_CODES: ReadonlySet<string> = new Set(
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(isISO31661Alpha2),
);
