import fc from 'fast-check';
import { PostgresServer } from '@tillstream/postgres-driver/testing';
import { numberColumns, rowColumns, tableShape, type TableRow } from '@tillstream/read-models';
import { ListsPlace } from '../lists-place.fixture.js';
import type { GenerationRows } from './generation.rows.js';

const shape = tableShape('transactions');
const TEXTS = ['reference_id', 'order_number', 'body', 'merchant_id'];

let server: PostgresServer;
let place: ListsPlace;
let rows: GenerationRows;
let nextId = 1;

beforeAll(async () => {
  server = await PostgresServer.start();
  place = new ListsPlace(() => server);
  await place.goLive(shape);
  rows = await place.liveRows('transactions');
});
afterAll(async () => {
  await place.remove();
  await server.stop();
});

const integers = new Set([
  ...(shape.integerFacets ?? []),
  ...shape.sorts,
  ...numberColumns(shape),
  'revision',
]);

function rowWith(text: string | null): TableRow {
  const values = rowColumns(shape).map((column) => [column, integers.has(column) ? 7 : 'x']);
  const texts = TEXTS.map((column) => [column, column === 'merchant_id' ? (text ?? '') : text]);
  return { ...Object.fromEntries([...values, ...texts]), id: `row-${nextId++}` } as TableRow;
}

async function writtenAndRead(given: readonly TableRow[]): Promise<readonly TableRow[]> {
  await rows.write(given);
  const read = await rows.rows(given.map(({ id }) => id));
  return given.map(({ id }) => read.find((row) => row.id === id) as TableRow);
}

/** All that the server can store. */
const storable = fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\0', ''));

describe('Rows in PostgreSQL', () => {
  it('have the texts that were written', async () => {
    const examples: string[][] = [
      ['', 'null', 'NULL', '{a,b}', ' a ', ','],
      ['"', '\\', '\\"', '"\\', '\\\\"', '\\n', '\\u0041', '{"a":"\\"b\\"","c":"\\\\"}'],
      ['line\nbreak', '\t', '\u0001', '\u007f', 'Zoë 東京 🏦'],
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(storable, { minLength: 1, maxLength: 30 }), async (texts) => {
        const given = texts.map(rowWith);
        expect(await writtenAndRead(given)).toEqual(given);
      }),
      { numRuns: 60, examples: examples.map((texts) => [texts]) },
    );
  });

  it('have no text where none was written, also beside one that has to be escaped', async () => {
    const given = [rowWith(null), rowWith('line\nbreak'), rowWith(null)];
    expect(await writtenAndRead(given)).toEqual(given);
  });

  it('have U+FFFD in place of half a surrogate pair, which UTF-8 does not have', async () => {
    const [read] = await writtenAndRead([rowWith('a\ud83db')]);
    expect(read).toMatchObject({ reference_id: 'a\ufffdb', body: 'a\ufffdb', merchant_id: 'a\ufffdb' });
  });
});
