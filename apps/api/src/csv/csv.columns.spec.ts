import 'reflect-metadata';
import * as s from '../openapi/response.schema.js';
import { cellOf, columnsOf, itemOfPage } from './csv.columns.js';

interface Part {
  readonly amount: number;
  readonly note?: string;
}
interface Thing {
  readonly id: string;
  readonly part: Part;
  readonly maybe?: Part;
  readonly small: { readonly on: boolean };
  readonly gone: { readonly at: string } | null;
  readonly tags: string[];
  readonly parts: Part[];
  readonly attempts: Part[];
  readonly data: Record<string, unknown>;
}

const PART = s.shape<Part>()('Part', 'A part.', {
  amount: s.integer('The amount.', 1),
  note: s.optional(s.text('A note.', 'x')),
});
const THING = s.shape<Thing>()('Thing', 'A thing.', {
  id: s.text('The id.', 'x'),
  part: s.as(PART, 'Its part.'),
  maybe: s.optional(s.as(PART, 'Another part.')),
  small: s.inline<Thing['small']>('A small object.', { on: s.yesOrNo('Whether.') }),
  gone: s.nullable(s.inline<{ at: string }>('When.', { at: s.time('When.') }), 'Null: it is there.'),
  tags: s.list('Tags.', s.text('A tag.', 'x')),
  parts: s.listOf(PART, 'All parts.'),
  attempts: s.listOf(PART, 'The newest is the outcome.', { firstInCsv: true }),
  data: s.anyFields('Data.', { any: 1 }),
});
const columns = columnsOf(THING);
const row = (item: object) =>
  Object.fromEntries(columns.map((column) => [column.name, cellOf(item, column)]));

it('Each field is a column, in the order of the description; fields of objects have a dot in their names', () => {
  expect(columns.map(({ name }) => name)).toEqual([
    'id',
    ...['part.amount', 'part.note'],
    ...['maybe.amount', 'maybe.note'],
    'small.on',
    'gone.at',
    'tags',
    'parts',
    ...['attempts.0.amount', 'attempts.0.note'],
    'data',
  ]);
});

it('A list and data of any fields are JSON in one cell; of a list whose first entry is the outcome, that entry has columns', () => {
  const item: Thing = {
    id: 'a',
    part: { amount: -5 },
    small: { on: false },
    gone: { at: 'now' },
    tags: ['x', 'y'],
    parts: [{ amount: 1 }],
    attempts: [{ amount: 2, note: 'newest' }, { amount: 3 }],
    data: { nested: { x: 1 } },
  };
  expect(row(item)).toEqual({
    id: 'a',
    'part.amount': -5,
    'small.on': false,
    'gone.at': 'now',
    tags: '["x","y"]',
    parts: '[{"amount":1}]',
    'attempts.0.amount': 2,
    'attempts.0.note': 'newest',
    data: '{"nested":{"x":1}}',
  });
});

it('What is left out, null or an entry of an empty list is an empty cell', () => {
  const cells = row({ id: 'a', part: null, gone: null, attempts: [] });
  expect(Object.entries(cells).filter(([, cell]) => cell !== undefined)).toEqual([['id', 'a']]);
});

it('A page is known by its fields, not by its class', () => {
  expect(itemOfPage(s.pageOf('ThingPage', THING))).toBe(THING);
  expect(itemOfPage(THING)).toBeUndefined();
});
