import { findTokenOperation, type OperationId, type TokenState } from '@tillstream/domain';
import { tokenOperationResult } from '@tillstream/presentation';
import { touchedOperations, operationIdRange, type Contribution } from '../row.projection.js';
import { transactionRow } from './transaction.row.js';

/** The rows of tokens in `transactions`: one for each operation. */
export const tokenRows: Contribution<TokenState> = {
  hasManyRows: true,
  ids: (stream) => operationIdRange('token', stream),
  touched: (_stream, events) => touchedOperations(events, () => true),
  row(state, id, revision) {
    const operation = findTokenOperation(state, id as OperationId);
    if (state.status === 'None' || !operation) return undefined;
    // A removal would change every row of the token, so the reader adds it.
    const { removedAt: _removedAt, ...kept } = state;
    const { paymentMethod, referenceId } = operation;
    return transactionRow({
      merchantId: state.merchantId,
      revision,
      result: tokenOperationResult(kept, operation.id),
      paymentMethodId: paymentMethod.id,
      givenReferenceId: referenceId,
      channel: state.channel,
      tokenId: paymentMethod.type === 'Token' ? paymentMethod.id : undefined,
      personal: paymentMethod.personal,
    });
  },
};
