import { findMethodOf, type MerchantState } from '@tillstream/domain';
import { paymentMethodListItem } from '@tillstream/presentation';
import { merchantSource } from '../sources.js';
import type { TableShape } from '../table.shape.js';
import { projectionPart, type Contribution, type RowProjection } from '../row.projection.js';

const shape: TableShape = {
  projection: 'payment_methods',
  rowsVersion: 2,
  layout: 2,
  families: [{ name: 'facet', columns: ['merchant_id', 'type', 'currency', 'status'] }],
  sorts: ['created_at'],
  labels: [],
  content: ['body'],
};

const CHANGES = new Set(['PaymentMethodAdded', 'PaymentMethodChanged']);

/** A change touches its payment method, and those that it replaced as the default. */
const rows: Contribution<MerchantState> = {
  hasManyRows: true,
  touched(_stream, events, state) {
    const touched = new Map<string, number>();
    const newDefaults = new Map<string, number>();
    for (const { type, data, revision } of events) {
      const { paymentMethodId, isDefault } = data;
      if (!CHANGES.has(type) || typeof paymentMethodId !== 'string') continue;
      touched.set(paymentMethodId, revision);
      if (isDefault === true) newDefaults.set(paymentMethodId, revision);
    }
    if (newDefaults.size === 0) return touched;
    if (!state) return undefined;
    for (const { id, replacedBy = '' } of methodsOf(state)) {
      const revision = newDefaults.get(replacedBy) ?? -1;
      if (revision > (touched.get(id) ?? -1)) touched.set(id, revision);
    }
    return touched;
  },
  row(state, id, revision) {
    const method = state.status === 'None' ? undefined : findMethodOf(state, id);
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
