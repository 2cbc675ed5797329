import { caretAfter, digitsIn, type Format } from './typed.text.js';

/** `MM/YY`. A year of four digits, pasted or typed, becomes two; a month below 10 gets its zero. */
export const formatExpiry: Format = ({ text, caret }) => {
  const { month, hasSlash, year } = partsOf(text);
  const formatted = hasSlash || year !== '' ? `${month}/${year}` : month;
  if (caret >= text.length) return { text: formatted, caret: formatted.length };
  return { text: formatted, caret: caretAfter(formatted, digitsIn(text.slice(0, caret)).length) };
};

interface Parts {
  readonly month: string;
  readonly hasSlash: boolean;
  readonly year: string;
}

function partsOf(text: string): Parts {
  const separated = /^\s*(\d{1,2})\s*[/\-. ]\s*(\d*)/.exec(text);
  const digits = digitsIn(text);
  if (separated) {
    const [, month = '', year = ''] = separated;
    return { month: month.padStart(2, '0'), hasSlash: true, year: twoDigits(year) };
  }
  // No month begins with 2 to 9.
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  return { month: padded.slice(0, 2), hasSlash: false, year: twoDigits(padded.slice(2)) };
}

function twoDigits(year: string): string {
  if (!year.startsWith('20')) return year.slice(0, 2);
  return year.length >= 4 ? year.slice(2, 4) : year;
}

/** Undefined if it is no month and year. */
export function parseExpiry(text: string): { readonly month: number; readonly year: number } | undefined {
  const [, month = '', year = ''] = /^(0[1-9]|1[0-2])\/(\d{2})$/.exec(text) ?? [];
  return month === '' ? undefined : { month: Number(month), year: 2000 + Number(year) };
}

/** A card is good to the end of its month, in UTC. @param now of the service */
export function isExpired(
  { month, year }: { readonly month: number; readonly year: number },
  now: Date,
): boolean {
  return year * 12 + month - 1 < now.getUTCFullYear() * 12 + now.getUTCMonth();
}
