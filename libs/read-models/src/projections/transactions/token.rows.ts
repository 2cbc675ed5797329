import { findTokenOperation, type OperationId, type TokenState } from '@tillstream/domain';
import { tokenOperationResult } from '@tillstream/presentation';
import { touchedOperations, operationIdRange, type Contribution } from '../row.projection.js';
import { transactionRow } from './transaction.row.js';

/** What was done with stored cards, in `transactions`. */
export const tokenRows: Contribution<TokenState> = {
  ids: (stream) => operationIdRange('token', stream),
  touched: (_stream, events) => touchedOperations(events, () => true),
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
};
