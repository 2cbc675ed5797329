/** The text of a field while the customer types, and the place of the caret in it. */
export interface TypedText {
  readonly text: string;
  readonly caret: number;
}

export type Format = (typed: TypedText) => TypedText;

export const digitsIn = (text: string): string => text.replace(/\D/g, '');

/** The position after this number of digits. */
export function caretAfter(text: string, digits: number): number {
  if (digits === 0) return 0;
  let seen = 0;
  for (let place = 0; place < text.length; place++) {
    if (/\d/.test(text.charAt(place)) && ++seen === digits) return place + 1;
  }
  return text.length;
}

/** Digits only, at most this many. */
export const digitsUpTo =
  (longest: number): Format =>
  ({ text, caret }) => {
    const digits = digitsIn(text).slice(0, longest);
    return { text: digits, caret: caretAfter(digits, digitsIn(text.slice(0, caret)).length) };
  };
