import type { MerchantState } from '@tillstream/domain';
import { paymentMethodListItem } from '@tillstream/presentation';
import { merchantSource } from '../../sources/merchant.source.js';
import type { TableShape } from '../table.shape.js';
import { text } from '../column.values.js';
import { projectionPart, type Contribution, type RowProjection } from '../row.projection.js';

const shape: TableShape = {
  projection: 'payment_methods',
  rowsVersion: 1,
  layout: 2,
  facetColumns: [text('merchant_id'), text('type'), text('currency'), text('status')],
  families: [{ name: 'facet', columns: ['merchant_id', 'type', 'currency', 'status'] }],
  sorts: ['created_at'],
  labels: [],
  content: ['body'],
};

const CHANGES = ['PaymentMethodAdded', 'PaymentMethodChanged'];

/** A new default takes that from another: a change of one touches all. */
const rows: Contribution<MerchantState> = {
  touched(_stream, events, state) {
    const last = events.findLast(({ type }) => CHANGES.includes(type));
    if (!last) return new Map();
    if (!state) return undefined;
    return new Map(methodsOf(state).map(({ id }) => [id, last.revision]));
  },
  row(state, id, revision) {
    const method = methodsOf(state).find((one) => one.id === id);
    if (state.status === 'None' || !method) return undefined;
    return [
      method.id,
      revision,
      state.id,
      method.type,
      method.currency,
      method.disabled ? 'Disabled' : 'Enabled',
      Date.parse(method.createdAt),
      JSON.stringify(paymentMethodListItem(method)),
    ];
  },
};

/** Terminals and forms. */
export const paymentMethods: RowProjection = { shape, parts: [projectionPart(merchantSource, rows)] };

function methodsOf(state: MerchantState) {
  return state.status === 'None' ? [] : state.paymentMethods;
}
