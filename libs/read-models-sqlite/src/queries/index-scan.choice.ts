import type { Kysely } from 'kysely';
import type { GenerationTables } from '../tables/sqlite.dialect.js';
import type { FacetFamily, TableShape } from '@tillstream/read-models';
import type { MergedRange, ListPlan, IndexScan } from './list.plan.js';

type Tables = Kysely<GenerationTables>;

/** A way by its label, by the family that is chosen, or by the first one. */
export async function chooseIndexScan(tables: Tables, shape: TableShape, plan: ListPlan): Promise<IndexScan> {
  const [label] = plan.labels;
  if (label) return indexScan(tables, shape, plan, shape.families[0], label);
  const ways = await indexScansByFamily(tables, shape, plan);
  // Of several that are chosen, the one with the fewest ranges to merge.
  const [first, ...others] =
    ways.length > 0 ? ways : [await indexScan(tables, shape, plan, shape.families[0])];
  return others.reduce(
    (best, one) => (one.mergedRanges.length < best.mergedRanges.length ? one : best),
    first as IndexScan,
  );
}

/** By each family of which something is chosen. */
export function indexScansByFamily(tables: Tables, shape: TableShape, plan: ListPlan): Promise<IndexScan[]> {
  const chosen = shape.families.filter((family) => isChosen(family, plan));
  return Promise.all(chosen.map((family) => indexScan(tables, shape, plan, family)));
}

async function indexScan(
  tables: Tables,
  shape: TableShape,
  plan: ListPlan,
  family: FacetFamily,
  label?: ListPlan['labels'][number],
): Promise<IndexScan> {
  const { sort, descending, after, ranges } = plan;
  return {
    family,
    mergedRanges: await mergedRanges(tables, family, plan, label),
    ...(label && { label: label[0] }),
    sort,
    descending,
    ...(after && { after }),
    ranges,
    otherFamilies: shape.families
      .filter((other) => other !== family && isChosen(other, plan))
      .map((other) => ({ family: other, facets: facetsOf(other, plan) })),
    otherLabels: plan.labels.filter((one) => one !== label),
  };
}

/** The facets that fit; with a label those of them in which its values occur. One look at an index each. */
async function mergedRanges(
  tables: Tables,
  family: FacetFamily,
  plan: ListPlan,
  label: ListPlan['labels'][number] | undefined,
): Promise<MergedRange[]> {
  let query = tables.selectFrom(`${family.name} as family`).select('family.facet');
  for (const [column, values] of Object.entries(facetsOf(family, plan))) {
    query = query.where(`family.${column}`, 'in', [...values]);
  }
  if (!label) return (await query.execute()).map(({ facet }) => ({ facet: Number(facet) }));
  const [column, values] = label;
  const arms: MergedRange[] = [];
  for (const value of values) {
    const there = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('rows')
          .select('rows.seq')
          .where(`rows.${column}`, '=', value)
          .whereRef(`rows.${family.name}`, '=', 'family.facet'),
      ),
    );
    for (const { facet } of await there.execute()) arms.push({ facet: Number(facet), label: value });
  }
  return arms;
}

/** The choice among the columns of a family. */
function facetsOf({ columns }: FacetFamily, { facets }: ListPlan): ListPlan['facets'] {
  return Object.fromEntries(Object.entries(facets).filter(([column]) => columns.includes(column)));
}

/** More than the merchant, which every family begins with. */
function isChosen({ columns }: FacetFamily, { facets }: ListPlan): boolean {
  return columns.slice(1).some((column) => facets[column] !== undefined);
}
