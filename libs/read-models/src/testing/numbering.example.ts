import type { Generated } from 'kysely';
import { UnknownEvent } from '@tillstream/domain';
import type { OrderedProjection } from '../projections/ordered.projection.js';

/* An example: numbers the events of each merchant over all its streams, from 1, without a gap. */

export interface Numbering {
  readonly numbers: { readonly seq: Generated<number>; readonly merchant: string; readonly event: string };
  readonly last_numbers: { readonly merchant: string; readonly number: number };
}

export const numbering = (version = 1): OrderedProjection<Numbering> => ({
  name: 'numbering',
  version,
  categories: ['order'],
  schema: (build) => [
    build.schema
      .createTable('numbers')
      .addColumn('merchant', 'text', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('event', 'text', (column) => column.notNull()),
    build.schema
      .createTable('last_numbers')
      .addColumn('merchant', 'text', (column) => column.primaryKey())
      .addColumn('number', 'integer', (column) => column.notNull()),
  ],
  async apply(tables, { type, id, data }) {
    if (type !== 'Ordered') throw new UnknownEvent(type, 1);
    const merchant = String(data['merchant']);
    const { build } = tables;
    const [last] = await tables.all<{ readonly number: number }>(
      build.selectFrom('last_numbers').select('number').where('merchant', '=', merchant),
    );
    const number = (last?.number ?? 0) + 1;
    await tables.run(build.insertInto('numbers').values({ merchant, number, event: id } as never));
    await tables.run(
      build
        .insertInto('last_numbers')
        .values({ merchant, number })
        .onConflict((conflict) => conflict.column('merchant').doUpdateSet({ number })),
    );
  },
});
