import { sql } from 'kysely';
import { isFrequentLabel, type FacetFamily, type TableShape } from '../projections/table.shape.js';
import type { LiveGeneration } from './live.generation.js';
import type { MergedRange, ListPlan, IndexScan } from './list.plan.js';

/** The first columns of an index: a family, or a label and the first family. */
interface Leading {
  readonly family: FacetFamily;
  readonly label?: ListPlan['labels'][number];
}

/** Scans the first label if there is one; else the family with a condition and the fewest ranges; else the first family. */
export async function chooseIndexScan(
  generation: LiveGeneration,
  shape: TableShape,
  plan: ListPlan,
): Promise<IndexScan> {
  const [label] = plan.labels;
  const [family] = shape.families;
  if (label) return indexScan(generation, shape, plan, { family, label });
  const scans = await indexScansByFamily(generation, shape, plan);
  const [first = await indexScan(generation, shape, plan, { family }), ...others] = scans;
  return others.reduce(
    (best, scan) => (scan.mergedRanges.length < best.mergedRanges.length ? scan : best),
    first,
  );
}

export function indexScansByFamily(
  generation: LiveGeneration,
  shape: TableShape,
  plan: ListPlan,
): Promise<IndexScan[]> {
  const families = shape.families.filter((family) => hasCondition(family, plan));
  return Promise.all(families.map((family) => indexScan(generation, shape, plan, { family })));
}

async function indexScan(
  generation: LiveGeneration,
  shape: TableShape,
  plan: ListPlan,
  leading: Leading,
): Promise<IndexScan> {
  const { family, label } = leading;
  const { sort, descending, after, ranges } = plan;
  return {
    family,
    mergedRanges: await mergedRanges(generation, shape, plan, leading),
    ...(label && { label: label[0], isLabelFrequent: isFrequentLabel(shape, label[0]) }),
    sort,
    descending,
    ...(after && { after }),
    ranges,
    otherFamilies: shape.families
      .filter((other) => other !== family && hasCondition(other, plan))
      .map((other) => ({ family: other, facets: conditionsOf(other, plan) })),
    otherLabels: plan.labels.filter((other) => other !== label),
  };
}

/** The facets that meet the conditions of the family; with a label that is not frequent, only those in which its values occur. */
async function mergedRanges(
  { build, all }: LiveGeneration,
  shape: TableShape,
  plan: ListPlan,
  { family, label }: Leading,
): Promise<MergedRange[]> {
  let query = build.selectFrom(`${family.name} as family`).select('family.facet');
  for (const [column, values] of Object.entries(conditionsOf(family, plan))) {
    query = query.where(`family.${column}`, 'in', [...values]);
  }
  const facets = async (): Promise<number[]> => (await all(query)).map(({ facet }) => Number(facet));
  if (!label) return (await facets()).map((facet) => ({ facet }));
  const [column, values] = label;
  // A database may index it late: then no index says where its values occur.
  if (isFrequentLabel(shape, column)) {
    return (await facets()).flatMap((facet) => values.map((value) => ({ facet, label: value })));
  }
  const ranges: MergedRange[] = [];
  for (const value of values) {
    const occurring = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('rows')
          .select('rows.id')
          .where(`rows.${column}`, '=', value)
          .whereRef(`rows.${family.name}`, '=', 'family.facet')
          // Looks into the index once for each facet: an offset keeps PostgreSQL from reading all rows with the label.
          .limit(sql.lit(1))
          .offset(sql.lit(0)),
      ),
    );
    for (const { facet } of await all(occurring)) ranges.push({ facet: Number(facet), label: value });
  }
  return ranges;
}

function conditionsOf({ columns }: FacetFamily, { facets }: ListPlan): ListPlan['facets'] {
  return Object.fromEntries(Object.entries(facets).filter(([column]) => columns.includes(column)));
}

/** A condition besides the merchant, which every family begins with. */
function hasCondition({ columns }: FacetFamily, { facets }: ListPlan): boolean {
  return columns.slice(1).some((column) => facets[column] !== undefined);
}
