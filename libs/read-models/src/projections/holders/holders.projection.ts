import { HOLDER_CATEGORY, type HolderState } from '@tillstream/domain';
import { holderSource } from '../sources.js';
import type { TableShape } from '../table.shape.js';
import { sealedPersonalJson } from '../column.values.js';
import { wholeStreamRow, projectionPart, type Contribution, type RowProjection } from '../row.projection.js';

const shape: TableShape = {
  projection: 'holders',
  rowsVersion: 1,
  layout: 2,
  families: [{ name: 'facet', columns: ['merchant_id', 'status'] }],
  sorts: ['created_at', 'updated_at'],
  labels: ['external_id_hash'],
  content: ['body', 'personal'],
};

const rows: Contribution<HolderState> = {
  touched: (stream, events) => wholeStreamRow(`acc_${stream.slice(HOLDER_CATEGORY.length + 1)}`, events),
  row(state, _id, revision) {
    if (state.status === 'None') return undefined;
    const { id, merchantId, status, createdAt, updatedAt, externalIdHash, personal } = state;
    const erased = status === 'Erased';
    return {
      id,
      revision,
      merchant_id: merchantId,
      status,
      created_at: Date.parse(createdAt),
      updated_at: Date.parse(updatedAt),
      external_id_hash: erased ? null : (externalIdHash ?? null),
      body: JSON.stringify({ id, createdAt, updatedAt }),
      personal: erased ? null : sealedPersonalJson(personal),
    };
  },
};

/** Account holders. Personal data stays sealed; an erased holder's row has none. */
export const holders: RowProjection = { shape, parts: [projectionPart(holderSource, rows)] };
