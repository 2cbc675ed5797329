import { join } from 'node:path';
import { openDatabase } from '@tillstream/sqlite-driver';
import { tableShape, type TableRow } from '@tillstream/read-models';
import { manyTransactionsRow } from '@tillstream/read-models/testing';
import { newFolder } from '../testing/folder.testing.js';
import { GenerationFile } from './generation.file.js';
import { RECENT_ROWS_MAX } from './label.copies.js';

describe('Copies for the lists by a frequent label', () => {
  const shape = tableShape('transactions');
  let place: ReturnType<typeof newFolder>;
  let path: string;
  let file: GenerationFile;
  beforeEach(() => {
    place = newFolder();
    path = join(place.folder, 'live.db');
    GenerationFile.create(path, shape);
    file = GenerationFile.open(path, shape);
  });
  afterEach(() => {
    file.close();
    place.remove();
  });

  const rows = (from: number, to: number): TableRow[] =>
    Array.from({ length: to - from }, (_, index) => manyTransactionsRow(from + index, 10_000));
  const sqlOf = <T>(text: string, ...parameters: unknown[]): T[] => {
    const db = openDatabase(path);
    try {
      const statement = db.prepare<unknown[], T>(text);
      if (statement.reader) return statement.all(...parameters);
      statement.run(...parameters);
      return [];
    } finally {
      db.close();
    }
  };
  const copies = () =>
    sqlOf<{ id: string; payment_method_id: string | null; amount: number }>(
      'select id, payment_method_id, amount from label_copies order by seq',
    );

  it('are made of all recent rows once they are many, and of no row before', () => {
    file.write(rows(0, RECENT_ROWS_MAX - 1));
    expect(copies()).toEqual([]);
    const all = rows(0, RECENT_ROWS_MAX);
    file.write(all.slice(-1));
    expect(copies()).toEqual(
      all.map(({ id, payment_method_id, amount }) => ({ id, payment_method_id, amount })),
    );
  });

  it('follow each newer row, and no older one', () => {
    const [first, ...others] = rows(0, RECENT_ROWS_MAX) as [TableRow, ...TableRow[]];
    file.write([first, ...others]);
    const changed = { ...first, revision: first.revision + 2, payment_method_id: 'pm_2', amount: 7 };
    file.write([changed, { ...changed, revision: changed.revision - 1, amount: 8 }]);
    const [copy] = copies();
    expect(copy).toEqual({ id: first.id, payment_method_id: 'pm_2', amount: 7 });
    expect(copies()).toHaveLength(RECENT_ROWS_MAX);
    expect(file.rows([first.id])).toEqual([changed]);
  });

  it('do not stay if the write of the rows fails', () => {
    const broken = { ...rows(RECENT_ROWS_MAX, RECENT_ROWS_MAX + 1)[0], amount: null } as unknown as TableRow;
    expect(() => file.write([...rows(0, RECENT_ROWS_MAX), broken])).toThrow('NOT NULL');
    expect(copies()).toEqual([]);
    expect(file.count()).toBe(0);
  });

  it('are complete after a bulk load', () => {
    const bulk = GenerationFile.createBulk(join(place.folder, 'bulk.db'), shape);
    bulk.writeBulk(rows(0, 10));
    bulk.writeBulk([{ ...(rows(0, 1)[0] as TableRow), revision: 9, amount: 5 }]);
    bulk.finishBulk(() => undefined);
    bulk.close();
    path = join(place.folder, 'bulk.db');
    expect(copies()).toHaveLength(10);
    expect(copies()[0]).toMatchObject({ amount: 5 });
  });

  it('show in a comparison of rows if one of them is wrong or missing', () => {
    const all = rows(0, RECENT_ROWS_MAX);
    const [first, second] = all as [TableRow, TableRow];
    file.write(all);
    expect(file.rows(all.map(({ id }) => id))).toEqual(all);
    sqlOf('update label_copies set payment_method_id = ? where id = ?', 'other', first.id);
    sqlOf('delete from label_copies where id = ?', second.id);
    expect(file.rows([first.id])).toEqual([{ ...first, payment_method_id: 'other' }]);
    expect(file.rows([second.id])).toEqual([]);
  });
});
