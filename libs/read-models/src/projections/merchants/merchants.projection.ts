import type { MerchantState } from '@tillstream/domain';
import { merchantShape } from '@tillstream/presentation';
import { MERCHANT_CATEGORY as CATEGORY, merchantSource } from '../sources.js';
import type { TableShape } from '../table.shape.js';
import { OPERATORS } from '../column.values.js';
import { projectionPart, type Contribution, type RowProjection } from '../row.projection.js';

const shape: TableShape = {
  projection: 'merchants',
  rowsVersion: 1,
  layout: 2,
  families: [{ name: 'facet', columns: ['merchant_id', 'status'] }],
  sorts: ['created_at', 'updated_at'],
  labels: [],
  content: ['body'],
};

const OWN_CHANGES = ['MerchantCreated', 'MerchantChanged', 'MerchantDisabled', 'MerchantEnabled'];

const rows: Contribution<MerchantState> = {
  touched(stream, events) {
    const last = events.findLast(({ type }) => OWN_CHANGES.includes(type));
    return new Map(last ? [[stream.slice(CATEGORY.length + 1), last.revision]] : []);
  },
  row(state, _id, revision) {
    if (state.status === 'None') return undefined;
    return {
      id: state.id,
      revision,
      merchant_id: OPERATORS,
      status: state.status,
      created_at: Date.parse(state.createdAt),
      updated_at: Date.parse(state.updatedAt),
      body: JSON.stringify(merchantShape(state)),
    };
  },
};

/** Merchants, for operators. */
export const merchants: RowProjection = { shape, parts: [projectionPart(merchantSource, rows)] };
