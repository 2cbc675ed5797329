import { Optional, type Shape, type ShapeField, type ShapeFields } from '../openapi/response.schema.js';

/** A column of a list's CSV (`docs/spec/lists.md#csv`). */
export interface Column {
  /** Its place in an item, joined by dots: `paymentMethod.id`. */
  readonly name: string;
  readonly path: readonly string[];
}

/** A cell as CSV has it: a number stays a number, and an object or list without columns of its own is JSON. */
export type Cell = string | number | boolean | undefined;

/** On a method that returns pages of a list: the columns of its CSV. `describeEndpoints` sets it. */
export const CSV_COLUMNS = Symbol('columns of CSV');

/** The columns of a list of such items: they follow from the description alone, so each page has the same. */
export const columnsOf = (item: Shape<unknown>): readonly Column[] =>
  pathsOf(item.fields).map((path) => ({ name: path.join('.'), path }));

/** The shape of the items, if it is the shape of a page. */
export function itemOfPage({ fields }: Shape<unknown>): Shape<unknown> | undefined {
  const { data, hasMore, nextCursor } = fields;
  return hasMore && nextCursor && data && 'isArray' in data ? data.type() : undefined;
}

export function cellOf(item: unknown, { path }: Column): Cell {
  let value = item;
  for (const name of path) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  if (typeof value === 'object') return value === null ? undefined : JSON.stringify(value);
  return value as Cell;
}

type Path = readonly string[];

const pathsOf = (fields: ShapeFields): readonly Path[] =>
  Object.entries(fields).flatMap(([name, field]) => below(field).map((path) => [name, ...path]));

/** Paths within a field; an empty one: the field is a column itself. */
function below(field: ShapeFields[string]): readonly Path[] {
  if (field instanceof Optional) return below(field.field);
  if (isShapeField(field)) {
    const paths = pathsOf(field.type().fields);
    if (field.isArray !== true) return paths;
    return field.firstInCsv === true ? paths.map((path) => ['0', ...path]) : [[]];
  }
  const values = field.oneOf?.filter(({ type }) => type !== 'null') ?? [];
  if (values.length === 1 && values[0]) return below(values[0]);
  return field.properties ? pathsOf(field.properties) : [[]];
}

const isShapeField = (field: object): field is ShapeField<unknown> =>
  'type' in field && typeof field.type === 'function';
