import type Database from 'better-sqlite3';
import {
  indexesOfAllRows,
  indexesOfLabels,
  indexesOfQueues,
  tableShape,
  type ProjectionName,
  type TableShape,
} from '@tillstream/read-models';
import { manyRows, type FacetRows, type NumberedId } from '@tillstream/read-models/testing';
import { ControlDatabase } from '../generations/control.database.js';
import { newHolder } from '../generations/sqlite.leases.js';
import { LabelCopies } from '../tables/label.copies.js';
import { createIndexes, createTables } from '../tables/generation.schema.js';
import { endBulk, openFileWith } from '../tables/sqlite.dialect.js';

const PER_STATEMENT = 250_000;

const numberedId: NumberedId = (prefix, number) => `printf('${prefix}%026d', ${number})`;

/** Makes the live generation of a list in a directory, with `count` rows of one merchant, by SQL alone. */
export function fillList(
  directory: string,
  projection: ProjectionName,
  count: number,
  onProgress: (rowsDone: number) => void = () => undefined,
): void {
  const shape = tableShape(projection);
  const control = new ControlDatabase(directory);
  try {
    const generation = control.startBuilding(shape, newHolder());
    const db = openFileWith(control.fileOf(generation), 'bulk', (opened) => opened);
    try {
      fill(db, shape, count, onProgress);
    } finally {
      db.close();
    }
    control.announce(generation);
    control.swap(generation);
  } finally {
    control.close();
  }
}

/** Indexes that will be empty are made before the rows, since each later one reads the whole table. */
function fill(
  db: Database.Database,
  shape: TableShape,
  count: number,
  onProgress: (rowsDone: number) => void,
): void {
  const { families, columns } = manyRows(shape.projection, count, numberedId);
  const used = shape.labels.filter((label) => columns[label] !== undefined);
  const unused = shape.labels.filter((label) => !used.includes(label));
  db.pragma('cache_size = -200000');
  db.pragma('threads = 2');
  createTables(db, shape);
  createIndexes(db, shape, indexesOfLabels(shape, unused));
  for (const [name, facets] of Object.entries(families)) addFacets(db, shape, name, facets);
  const chosen = Object.entries(families).map(([name, facets]) => [name, facets.chosen] as const);
  const all = [...chosen, ...Object.entries(columns)];
  const insert = db.prepare(
    `with recursive numbers(n) as (select ? union all select n + 1 from numbers where n + 1 < ?) ` +
      `insert into rows (${all.map(([column]) => column).join(', ')}) ` +
      `select ${all.map(([, expression]) => expression).join(', ')} from numbers`,
  );
  for (let from = 0; from < count; from += PER_STATEMENT) {
    const to = Math.min(from + PER_STATEMENT, count);
    insert.run(from, to);
    onProgress(to);
  }
  if (shape.frequentLabels) new LabelCopies(db, shape).copyAll();
  const indexes = [...indexesOfAllRows(shape), ...indexesOfLabels(shape, used), ...indexesOfQueues(shape)];
  createIndexes(db, shape, indexes);
  endBulk(db);
}

function addFacets(
  db: Database.Database,
  { families }: TableShape,
  name: string,
  { values }: FacetRows,
): void {
  const columns = families.find((family) => family.name === name)?.columns ?? [];
  const places = ['facet', ...columns].map(() => '?').join(', ');
  const insert = db.prepare(`insert into ${name} (facet, ${columns.join(', ')}) values (${places})`);
  for (const [index, row] of values.entries()) insert.run(index + 1, ...row);
}
