import { brandOf } from './card.brand.js';
import { formatCardNumber } from './card.number.js';
import type { TypedText } from './typed.text.js';

/** `|` is the caret. */
const marked = (text: string): TypedText => ({ text: text.replace('|', ''), caret: text.indexOf('|') });
const show = ({ text, caret }: TypedText): string => `${text.slice(0, caret)}|${text.slice(caret)}`;

describe('The brand of a card', () => {
  it.each([
    ['4242424242424242', 'visa', 3],
    ['5555555555554444', 'mastercard', 3],
    ['2221000000000009', 'mastercard', 3],
    ['378282246310005', 'american-express', 4],
    ['6011111111111117', 'discover', 3],
    ['3056930009020004', 'diners-club', 3],
    ['3566002020360505', 'jcb', 3],
    ['6200000000000005', 'unionpay', 3],
    ['6759649826438453', 'maestro', 3],
  ])('%s is %s, with a security code of %i digits', (number, id, securityCodeLength) => {
    expect(brandOf(number)).toMatchObject({ id, securityCodeLength });
  });

  it.each(['', '6', '7'])('is not known by the digits "%s"', (digits) => {
    expect(brandOf(digits)).toMatchObject({ id: undefined, securityCodeLength: 3 });
  });
});

describe('A card number', () => {
  it.each([
    ['a number is grouped as on the card', '4242424242424242|', '4242 4242 4242 4242|'],
    ['American Express has groups of 4, 6 and 5', '378282246310005|', '3782 822463 10005|'],
    ['a pasted number keeps its digits only', '4242-4242 4242.4242x|', '4242 4242 4242 4242|'],
    ['digits that are too many are dropped', '37828224631000599|', '3782 822463 10005|'],
    ['a digit typed inside stays under the caret', '42424|2 4242', '4242 4|242 42'],
    ['a digit removed inside leaves the caret there', '4242| 242', '4242| 242'],
    ['a removed space comes back, and the caret goes before it', '4242|4242', '4242| 4242'],
    ['the caret passes the space with the digit', '42425|', '4242 5|'],
    ['the caret stays at the beginning', '|4242', '|4242'],
  ])('%s', (_, typed, shown) => {
    expect(show(formatCardNumber(marked(typed)))).toBe(shown);
  });
});
