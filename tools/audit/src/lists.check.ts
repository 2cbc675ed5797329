import type { ProjectionName, ReadModels, RebuildOptions, RowDifference } from '@tillstream/read-models';
import type { Findings } from './findings.js';

type Row = RowDifference['live'];

/** The rows of a list equal those that the events give. Returns how many were compared. */
export async function checkList(
  models: ReadModels,
  findings: Findings,
  projection: ProjectionName,
  options: RebuildOptions,
): Promise<number> {
  const { rows, difference } = await models.check(projection, options);
  if (difference) {
    const { id, columns, live, rebuilt } = difference;
    const both = live !== undefined && rebuilt !== undefined;
    findings.add('lists', `first row that differs in ${projection}:`, id, {
      expected: both ? rowText(rebuilt, columns) : presence(rebuilt),
      found: both ? rowText(live, columns) : presence(live),
    });
  }
  return rows;
}

function rowText(row: NonNullable<Row>, columns: readonly string[]): string {
  return columns.map((column) => `${column} ${JSON.stringify(row[column])}`).join(', ');
}

const presence = (row: Row): string => (row === undefined ? 'no row' : 'a row');
