import { TOKEN_CATEGORY, formatTokenId, type Token, type TokenState } from '@tillstream/domain';
import { tokenListItem } from '@tillstream/presentation';
import { tokenSource } from '../sources.js';
import type { TableRow, TableShape } from '../table.shape.js';
import { NO_TEXT, sealedPersonalJson } from '../column.values.js';
import { wholeStreamRow, projectionPart, type Contribution, type RowProjection } from '../row.projection.js';

const shape: TableShape = {
  projection: 'tokens',
  rowsVersion: 1,
  layout: 2,
  families: [{ name: 'facet', columns: ['merchant_id', 'type', 'card_type', 'account_type', 'status'] }],
  sorts: ['created_at', 'updated_at'],
  labels: ['account_holder_id'],
  content: ['body', 'channel', 'personal', 'removed_at'],
};

const rows: Contribution<TokenState> = {
  touched: (stream, events) => wholeStreamRow(formatTokenId(stream.slice(TOKEN_CATEGORY.length + 1)), events),
  row: (state, _id, revision) => (state.status === 'None' ? undefined : tokenRow(state, revision)),
};

/** Stored cards and bank accounts. */
export const tokens: RowProjection = { shape, parts: [projectionPart(tokenSource, rows)] };

function tokenRow(token: Token, revision: number): TableRow {
  const { id, merchantId, currency, paymentMethod, description, status, channel, removedAt } = token;
  const { cardType, maskedCardNumber, accountType, accountNumber, personal } = paymentMethod;
  const item = tokenListItem({
    id,
    currency,
    ...(description !== undefined && { description }),
    ...(cardType && { cardType }),
    ...(maskedCardNumber !== undefined && { maskedCardNumber }),
    ...(accountType && { accountType }),
    ...(accountNumber !== undefined && { accountNumber }),
    ...(removedAt !== undefined && { dateDeleted: removedAt }),
  });
  return {
    id,
    revision,
    merchant_id: merchantId,
    type: item.type,
    card_type: cardType ?? NO_TEXT,
    account_type: accountType ?? NO_TEXT,
    status,
    created_at: Date.parse(token.createdAt),
    updated_at: Date.parse(token.updatedAt),
    account_holder_id: token.accountHolderId ?? null,
    body: JSON.stringify(item),
    channel,
    // The removal destroys the key that would open it.
    personal: personal && removedAt === undefined ? sealedPersonalJson(personal) : null,
    removed_at: removedAt ?? null,
  };
}
