/** A book of the demo merchant. The price is in cents, of USD or CAD; the browser never says what a book costs. */
export interface Book {
  readonly id: string;
  readonly title: string;
  readonly author: string;
  readonly blurb: string;
  readonly price: number;
}

export const BOOKS = [
  {
    id: 'lighthouse-ledger',
    title: 'The Lighthouse Ledger',
    author: 'Ines Calloway',
    blurb: 'A keeper, forty winters, and every ship that went by.',
    price: 1_850,
  },
  {
    id: 'salt-rye-honey',
    title: 'Salt, Rye & Honey',
    author: 'Tomas Wren',
    blurb: 'Ninety loaves, and the towns that bake them.',
    price: 3_200,
  },
  {
    id: 'field-guide-to-quiet',
    title: 'A Field Guide to Quiet',
    author: 'Noor Adeyemi',
    blurb: 'Essays about places where nothing rings.',
    price: 1_495,
  },
  {
    id: 'night-trains-north',
    title: 'Night Trains North',
    author: 'Pauline Ferrier',
    blurb: 'Eleven sleepers from Lisbon to Narvik.',
    price: 2_100,
  },
  {
    id: 'clockmakers-arithmetic',
    title: 'The Clockmaker’s Arithmetic',
    author: 'J. D. Okafor',
    blurb: 'A mystery in sixty chapters, one for each second.',
    price: 1_725,
  },
  {
    // Every card is declined at this amount (`docs/spec/sandbox.md#amounts`).
    id: 'first-folio',
    title: 'The Rare Folio',
    author: 'Anonymous, 1623',
    blurb: 'The simulated bank never has enough for it: response code 11.',
    price: 900_051,
  },
] as const satisfies readonly Book[];

export const BOOK_IDS = BOOKS.map(({ id }) => id);
export type BookId = (typeof BOOKS)[number]['id'];

export function bookOf(id: BookId): Book {
  const book = BOOKS.find((one) => one.id === id);
  if (!book) throw new Error(`the shop has no book ${id}`);
  return book;
}
