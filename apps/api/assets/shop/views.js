import { element, money } from '/sandbox/files/service.js';
import { cardLabel } from './outcome.js';

/* The parts of the page, made of elements; text is never markup. */

export const price = (cents) => money(cents, 'USD').replace(/ USD$/, '');

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

const TEST_CARDS = [
  ['4242 4242 4242 4242', 'approved'],
  ['4000 0000 0000 9995', 'insufficient funds'],
  ['4000 0000 0000 0002', 'declined'],
  ['4100 0000 0000 0019', 'suspected fraud'],
];

export function testCards() {
  const items = TEST_CARDS.map(([number, effect]) => {
    const copy = button(number, () => copyNumber(copy, number), 'number');
    copy.title = 'Copy';
    return element('li', {}, copy, element('span', { textContent: effect }));
  });
  return element(
    'div',
    { className: 'hint' },
    element('p', { textContent: 'Test cards, with any date to come, any CVV and ZIP code 10001:' }),
    element('ul', { className: 'numbers' }, ...items),
  );
}

/** Pages that a browser does not trust have no clipboard. */
async function copyNumber(button, number) {
  await navigator.clipboard?.writeText(number.replaceAll(' ', '')).catch(() => undefined);
  button.classList.add('copied');
  setTimeout(() => button.classList.remove('copied'), 1_200);
}

const SHAPES = { approved: 'tick', declined: 'cross', unknown: 'wait', waiting: 'wait', cancelled: 'dash' };

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
  const { cardExpDate = '' } = card;
  return element(
    'li',
    { className: 'plastic' },
    element('span', { className: 'chip' }),
    element('span', { className: 'plastic-label', textContent: cardLabel(card) }),
    element('span', {
      className: 'plastic-date',
      textContent: `${cardExpDate.slice(0, 2)}/${cardExpDate.slice(2)}`,
    }),
  );
}
