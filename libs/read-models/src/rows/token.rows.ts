import {
  evolveToken,
  findTokenOperation,
  noToken,
  TOKEN_CATEGORY,
  tokenCodec,
  tokenIdOf,
  type OperationId,
  type Token,
  type TokenState,
} from '@tillstream/domain';
import { tokenListItem, tokenOperationResult } from '@tillstream/presentation';
import { NO_TEXT } from '../tables/shapes.js';
import type { FlatRow } from '../tables/table.shape.js';
import { checkKnown, decoded, namedOperations, operationIds, oneRow, type RowSource } from './row.source.js';
import { sealedText, transactionRow } from './transaction.row.js';

/** Stored cards: themselves in `tokens`, and what was done with them in `transactions`. */
export const tokenRows: RowSource<TokenState> = {
  category: TOKEN_CATEGORY,
  initial: noToken,
  check: (recorded) => checkKnown(tokenCodec, recorded),
  evolve: (state, recorded) => evolveToken(state, decoded(tokenCodec, recorded)),
  contributions: {
    tokens: {
      touched: (stream, events) => oneRow(tokenIdOf(stream.slice(TOKEN_CATEGORY.length + 1)), events),
      row: (state, _id, revision) => (state.status === 'None' ? undefined : tokenRow(state, revision)),
    },
    transactions: {
      ids: (stream) => operationIds('token', stream),
      touched: (_stream, events) => namedOperations(events, () => true),
      row(state, id, revision) {
        const operation = findTokenOperation(state, id as OperationId);
        if (state.status === 'None' || !operation) return undefined;
        // The removal is added when the row is read: it would change every row of the token.
        const { removedAt: _removedAt, ...kept } = state;
        const { paymentMethod, referenceId } = operation;
        return transactionRow({
          merchantId: state.merchantId,
          revision,
          result: tokenOperationResult(kept, operation.id),
          paymentMethodId: paymentMethod.id,
          givenReferenceId: referenceId,
          channel: state.channel,
          ...(paymentMethod.type === 'Token' && { tokenId: paymentMethod.id }),
          personal: paymentMethod.personal,
        });
      },
    },
  },
};

function tokenRow(token: Token, revision: number): FlatRow {
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
  return [
    id,
    revision,
    merchantId,
    item.type,
    cardType ?? NO_TEXT,
    accountType ?? NO_TEXT,
    status,
    Date.parse(token.createdAt),
    Date.parse(token.updatedAt),
    token.accountHolderId ?? null,
    JSON.stringify(item),
    channel,
    // Nobody can open it once the keys are destroyed.
    personal && removedAt === undefined ? sealedText(personal) : null,
    removedAt ?? null,
  ];
}
