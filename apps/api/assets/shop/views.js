import { element, money } from '/sandbox/files/service.js';
import { cardLabel } from './outcome.js';

/* The parts of the page, made of elements; text is never markup. */

/** `$18.50`, or `$18.50 CAD` */
export const price = (cents, currency = 'USD') => money(cents, currency).replace(/ USD$/, '');

const cover = ({ id }, className = 'cover') =>
  element(
    'span',
    { className },
    element('img', { src: `/sandbox/shop/files/cover-${id}.svg`, alt: '', width: 300, height: 420 }),
  );

export function bookTile(book, choose) {
  const art = cover(book);
  art.dataset.book = book.id;
  art.append(
    element('span', { className: 'cover-title', textContent: book.title }),
    element('span', { className: 'cover-author', textContent: book.author }),
  );
  art.setAttribute('aria-hidden', 'true');
  const button = element(
    'button',
    { type: 'button', className: 'book', onclick: () => choose(book) },
    art,
    element('span', { className: 'book-title', textContent: book.title }),
    element('span', { className: 'book-author', textContent: book.author }),
    element('span', { className: 'book-blurb', textContent: book.blurb }),
    element('span', { className: 'book-price', textContent: price(book.price) }),
  );
  button.dataset.book = book.id;
  return element('li', {}, button);
}

export const button = (text, onclick, className = 'button') =>
  element('button', { type: 'button', className, textContent: text, onclick });

export function bagLine(book) {
  return element(
    'div',
    { className: 'line' },
    cover(book, 'thumb'),
    element(
      'p',
      { className: 'line-text' },
      element('strong', { textContent: book.title }),
      element('span', { textContent: book.author }),
    ),
    element('span', { className: 'line-price', textContent: price(book.price) }),
  );
}

/* What the simulated banks do (docs/spec/sandbox.md). */
const CARDS = {
  title: 'Test cards, with any date to come, any CVV and ZIP code 10001:',
  numbers: [
    ['4242 4242 4242 4242', 'approved'],
    ['4000 0000 0000 9995', 'insufficient funds'],
    ['4000 0000 0000 0002', 'declined'],
    ['4100 0000 0000 0019', 'suspected fraud'],
  ],
};
const VERIFIED_CARDS = {
  title: 'Test cards for 3-D Secure. The bank’s code is 123456; any other code fails:',
  numbers: [
    ['4000 0000 0000 3220', 'asks for the code'],
    ['4242 4242 4242 4242', 'verified without a code'],
    ['4000 0084 0000 1280', 'bank not reached'],
    ['4000 0000 0000 3055', 'not enrolled'],
  ],
};
const ACCOUNTS = [
  ['000123456789', 'approved after a day'],
  ['000111111113', 'insufficient funds'],
  ['000111111116', 'declined'],
  ['000222222227', 'approved, then returned'],
  ['000333333335', 'approved, number corrected'],
];
const HINTS = {
  Card: CARDS,
  VerifiedCard: VERIFIED_CARDS,
  UsAccount: { title: 'Test accounts, with routing number 110000000:', numbers: ACCOUNTS },
  CanadianAccount: { title: 'Test accounts, with institution 000 and transit 11000:', numbers: ACCOUNTS },
};

/** `kind`: of `HINTS` */
export function testNumbers(kind) {
  const { title, numbers } = HINTS[kind];
  const items = numbers.map(([number, effect]) => {
    const copy = button(number, () => copyNumber(copy, number), 'number');
    copy.title = 'Copy';
    return element('li', {}, copy, element('span', { textContent: effect }));
  });
  return element(
    'div',
    { className: 'hint' },
    element('p', { textContent: title }),
    element('ul', { className: 'numbers' }, ...items),
  );
}

/** A box to tick; `onChange` gets whether it is. */
export function choice(text, checked, onChange) {
  const box = element('input', { type: 'checkbox', checked, onchange: () => onChange(box.checked) });
  return element('label', { className: 'choice' }, box, element('span', { textContent: text }));
}

/** How a developer advances the clock of the sandbox by a day. */
export function clockHint() {
  const text = `curl -X POST ${location.origin}/admin/v1/sandbox/clock \\
  -H 'x-api-key: <admin key>' -H 'content-type: application/json' \\
  -d '{ "advanceSeconds": 86400 }'`;
  return element('pre', { className: 'hint command', tabIndex: 0, textContent: text, ariaLabel: 'Command' });
}

/** Pages that a browser does not trust have no clipboard. */
async function copyNumber(button, number) {
  await navigator.clipboard?.writeText(number.replaceAll(' ', '')).catch(() => undefined);
  button.classList.add('copied');
  setTimeout(() => button.classList.remove('copied'), 1_200);
}

const SHAPES = {
  approved: 'tick',
  declined: 'cross',
  processing: 'wait',
  unknown: 'wait',
  waiting: 'wait',
  cancelled: 'dash',
};

export function ending(kind, title, text, facts = []) {
  return [
    element('div', { className: `seal ${SHAPES[kind]}` }),
    element('p', { className: `ending ${kind}`, textContent: title }),
    text ? element('p', { className: 'soft centred', textContent: text }) : null,
    facts.length > 0
      ? element(
          'dl',
          { className: 'facts' },
          ...facts.map(([name, value]) =>
            element('div', {}, element('dt', { textContent: name }), element('dd', { textContent: value })),
          ),
        )
      : null,
  ].filter(Boolean);
}

export function savedCard(card) {
  const { cardExpDate, accountNumber } = card;
  const aside = cardExpDate ? `${cardExpDate.slice(0, 2)}/${cardExpDate.slice(2)}` : 'Bank account';
  return element(
    'li',
    { className: 'plastic' },
    accountNumber === undefined ? element('span', { className: 'chip' }) : null,
    element('span', { className: 'plastic-label', textContent: cardLabel(card) }),
    element('span', { className: 'plastic-date', textContent: aside }),
  );
}
