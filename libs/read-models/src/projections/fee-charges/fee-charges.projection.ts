import type {
  PageSettled,
  SettlementPageState,
  SettlementStarted,
  SettlementState,
} from '@tillstream/domain';
import { itemFeeCharge, monthlyFeeCharge } from '@tillstream/presentation';
import type { FeeCharge } from '@tillstream/contracts';
import type { WrittenEvent } from '../../read-models.types.js';
import { NOT_YET } from '../column.values.js';
import { settlementPageSource, settlementSource } from '../sources.js';
import type { TableRow, TableShape } from '../table.shape.js';
import {
  projectionPart,
  type Contribution,
  type RowProjection,
  type TouchedRows,
} from '../row.projection.js';

const shape: TableShape = {
  projection: 'fee_charges',
  rowsVersion: 1,
  layout: 1,
  families: [{ name: 'facet', columns: ['merchant_id', 'status', 'source'] }],
  // `created_at` is for lists as they were at a time.
  sorts: ['charged_at', 'amount', 'created_at'],
  labels: ['settlement_id'],
  content: ['body'],
};

/** Fees of payments. With `Gross` funding a later event of the page charges all of them. */
const itemFees: Contribution<SettlementPageState> = {
  touched(_stream, events, state) {
    const settled = events.find(({ type }) => type === 'PageSettled');
    const page = (settled?.data ?? state) as unknown as PageSettled | undefined;
    if (!page) return undefined;
    const ids = page.items.flatMap(({ fee }) => (fee ? [fee.feeId] : []));
    return touchedAtLast(ids, events);
  },
  row(state, id, revision) {
    if (state.status === 'None') return undefined;
    const item = state.items.find(({ fee }) => fee?.feeId === id);
    if (!item?.fee) return undefined;
    return feeRow(itemFeeCharge(state, { ...item, fee: item.fee }), {
      revision,
      merchantId: state.merchantId,
      createdAt: state.settledAt,
    });
  },
};

/** Fees of a merchant, which are adjustments of a settlement. */
const monthlyFees: Contribution<SettlementState> = {
  touched(_stream, events) {
    const started = events.find(({ type }) => type === 'SettlementStarted');
    const { adjustments = [] } = (started?.data ?? {}) as unknown as Partial<SettlementStarted>;
    const ids = adjustments.flatMap(({ feeId }) => feeId ?? []);
    return started ? touchedAtLast(ids, [started]) : new Map();
  },
  row(state, id, revision) {
    if (state.status === 'None') return undefined;
    const adjustment = state.adjustments.find(({ feeId }) => feeId === id);
    if (!adjustment) return undefined;
    const { merchantId, createdAt } = state;
    return feeRow(monthlyFeeCharge(state, { ...adjustment, feeId: id }), { revision, merchantId, createdAt });
  },
};

function touchedAtLast(ids: readonly string[], events: readonly WrittenEvent[]): TouchedRows {
  const revision = events.at(-1)?.revision ?? 0;
  return new Map(ids.map((id) => [id, revision]));
}

function feeRow(
  charge: FeeCharge,
  of: { readonly revision: number; readonly merchantId: string; readonly createdAt: string },
): TableRow {
  const { id, status, source, amount, settlementId, chargedAt } = charge;
  return {
    id,
    revision: of.revision,
    merchant_id: of.merchantId,
    status,
    source,
    charged_at: chargedAt === undefined ? NOT_YET : Date.parse(chargedAt),
    amount,
    created_at: Date.parse(of.createdAt),
    settlement_id: settlementId,
    body: JSON.stringify(charge),
  };
}

/** Fee charges, pending and charged. */
export const feeCharges: RowProjection = {
  shape,
  parts: [projectionPart(settlementPageSource, itemFees), projectionPart(settlementSource, monthlyFees)],
};
