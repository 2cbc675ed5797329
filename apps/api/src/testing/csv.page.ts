import Papa from 'papaparse';
import type { JsonSchema } from '../validation/json.schema.js';

/** A page of a list as CSV, read by a parser that shares no code with the service. */
export interface CsvPage {
  /** Names of the header line. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** @throws Error where the text is not as RFC 4180 wants it, or a row has another number of cells */
export function readCsv(text: string): CsvPage {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: ',', newline: '\r\n' });
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  const [columns = [], ...rows] = data;
  const last = rows.pop() ?? [];
  if (last.length !== 1 || last[0] !== '') throw new Error('the last line has no end');
  const broken = rows.findIndex((row) => row.length !== columns.length);
  if (broken >= 0) throw new Error(`row ${broken} has ${rows[broken]?.length} cells of ${columns.length}`);
  return { columns, rows };
}

/** The items that the rows stand for, by the schema of an item. A list in columns has its first entry only. */
export function itemsOf({ columns, rows }: CsvPage, item: JsonSchema): readonly unknown[] {
  const paths = columns.map((name) => name.split('.'));
  return rows.map((row) => valueOf(item, cellsOf(paths, row)));
}

type Cells = readonly (readonly [path: readonly string[], cell: string])[];

const cellsOf = (paths: readonly (readonly string[])[], row: readonly string[]): Cells =>
  paths.map((path, index) => [path, row[index] ?? '']);

/** Undefined: no cell says anything. */
function valueOf(schema: JsonSchema, cells: Cells): unknown {
  const [[path, cell]] = cells as readonly [Cells[number]];
  if (path.length === 0) return scalar(schema, cell);
  const parts = new Map<string, Cells>();
  for (const [[name = '', ...rest], inner] of cells)
    parts.set(name, [...(parts.get(name) ?? []), [rest, inner]]);
  const entries = [...parts].flatMap(([name, inner]) => {
    const value = valueOf(partOf(schema, name), inner);
    return value === undefined ? [] : [[name, value] as const];
  });
  if (schema.type === 'array') return entries.map(([, value]) => value);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function partOf(schema: JsonSchema, name: string): JsonSchema {
  const { properties, items } = withoutNull(schema);
  const part = name === '0' ? items : properties?.[name];
  if (!part) throw new Error(`no column is called ${name}`);
  return part;
}

const withoutNull = (schema: JsonSchema): JsonSchema =>
  schema.oneOf?.find(({ type }) => type !== 'null') ?? schema;

const isNullable = ({ type, oneOf }: JsonSchema): boolean =>
  [type].flat().includes('null') || oneOf?.some((one) => one.type === 'null') === true;

function scalar(schema: JsonSchema, cell: string): unknown {
  if (cell === '') return isNullable(schema) ? null : undefined;
  const types = [withoutNull(schema).type].flat();
  return types.includes('string') ? cell.replace(/^'(?=[=+\-@\t\r])/, '') : (JSON.parse(cell) as unknown);
}

/** The row that an item of the JSON has to have, with the documented apostrophe before a formula. */
export const rowOf = (columns: readonly string[], item: unknown): readonly string[] =>
  columns.map((name) => {
    let value = item;
    for (const part of name.split('.'))
      value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[part];
    if (value === null || value === undefined) return '';
    if (typeof value !== 'string') return JSON.stringify(value);
    return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  });
