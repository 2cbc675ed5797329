import type { MerchantState } from '@tillstream/domain';
import { paymentMethodListItem } from '@tillstream/presentation';
import { merchantSource } from '../sources.js';
import type { TableShape } from '../table.shape.js';
import { projectionPart, type Contribution, type RowProjection } from '../row.projection.js';

const shape: TableShape = {
  projection: 'payment_methods',
  rowsVersion: 1,
  layout: 2,
  families: [{ name: 'facet', columns: ['merchant_id', 'type', 'currency', 'status'] }],
  sorts: ['created_at'],
  labels: [],
  content: ['body'],
};

const CHANGES = ['PaymentMethodAdded', 'PaymentMethodChanged'];

/** A change touches all payment methods of the merchant: if one becomes the default, another stops to be it. */
const rows: Contribution<MerchantState> = {
  touched(_stream, events, state) {
    const last = events.findLast(({ type }) => CHANGES.includes(type));
    if (!last) return new Map();
    if (!state) return undefined;
    return new Map(methodsOf(state).map(({ id }) => [id, last.revision]));
  },
  row(state, id, revision) {
    const method = methodsOf(state).find((candidate) => candidate.id === id);
    if (state.status === 'None' || !method) return undefined;
    return {
      id: method.id,
      revision,
      merchant_id: state.id,
      type: method.type,
      currency: method.currency,
      status: method.disabled ? 'Disabled' : 'Enabled',
      created_at: Date.parse(method.createdAt),
      body: JSON.stringify(paymentMethodListItem(method)),
    };
  },
};

/** Terminals and forms. */
export const paymentMethods: RowProjection = { shape, parts: [projectionPart(merchantSource, rows)] };

function methodsOf(state: MerchantState) {
  return state.status === 'None' ? [] : state.paymentMethods;
}
