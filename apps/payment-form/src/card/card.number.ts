import { brandOf } from './card.brand.js';
import { caretAfter, digitsIn, type Format } from './typed.text.js';

/** Groups the digits as they are embossed on the card, such as `4242 4242 4242 4242` or `3782 822463 10005`. */
export const formatCardNumber: Format = ({ text, caret }) => {
  const all = digitsIn(text);
  const { lengths, gaps } = brandOf(all);
  const digits = all.slice(0, Math.max(...lengths));
  const grouped = [...digits].map((digit, index) => (gaps.includes(index) ? ` ${digit}` : digit)).join('');
  return { text: grouped, caret: caretAfter(grouped, digitsIn(text.slice(0, caret)).length) };
};
