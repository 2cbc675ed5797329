import {
  findOperation,
  FIRST_SERVICE_OPERATION,
  parseOperationId,
  unbatchedItems,
  type Operation,
  type OperationId,
  type Payment,
  type PaymentState,
} from '@tillstream/domain';
import { transactionResult } from '@tillstream/presentation';
import type { WrittenEvent } from '../../read-models.types.js';
import {
  touchedOperations,
  operationIdRange,
  type Contribution,
  type TouchedRows,
} from '../row.projection.js';
import { NO_BATCHING, transactionRow, type Batching } from './transaction.row.js';

/** The rows of payments in `transactions`: one for each operation that a client requested. */
export const paymentRows: Contribution<PaymentState> = {
  hasManyRows: true,
  ids: (stream) => operationIdRange('payment', stream),
  touched,
  row(state, id, revision) {
    const operation = findOperation(state, id as OperationId);
    if (state.status === 'None' || !operation || operation.kind === 'Reversal') return undefined;
    return transactionRow({
      merchantId: state.merchantId,
      revision,
      result: transactionResult(state, operation.id),
      paymentMethodId: state.paymentMethod.id,
      givenReferenceId: operation.referenceId,
      channel: state.channel,
      tokenId: state.paymentMethod.type === 'Token' ? state.paymentMethod.id : undefined,
      personal: personalOf(state, operation),
      batching: batchingOf(state, operation),
    });
  },
};

/**
 * A void also touches its original: it changes what a batch can still take of it. The event of a late execution does not
 * name the original, so the state is needed.
 */
function touched(
  _stream: string,
  events: readonly WrittenEvent[],
  state?: PaymentState,
): TouchedRows | undefined {
  const touchedIds = touchedOperations(events, isOfClient);
  for (const { type, data, revision } of events) {
    let original = type === 'Voided' ? data['originalOperationId'] : undefined;
    if (type === 'LateApprovalFound') {
      if (!state) return undefined;
      original = findOperation(state, data['operationId'] as OperationId)?.originalId;
    }
    if (typeof original !== 'string' || !isOfClient(original)) continue;
    touchedIds.set(original, Math.max(revision, touchedIds.get(original) ?? 0));
  }
  return touchedIds;
}

function batchingOf(payment: Payment, operation: Operation): Batching {
  const items = unbatchedItems(payment, operation);
  const { batch, returns, chargebacks = [], lastReturnBatchId: lastBatchId } = operation;
  const returned = [...returns, ...chargebacks].filter(
    ({ batchId }) => batchId !== undefined && batchId === lastBatchId,
  );
  return {
    ...NO_BATCHING,
    ...(items.length > 0 && {
      unbatched_at: Math.min(...items.map(({ movedAt }) => Date.parse(movedAt))),
      unbatched_amount: items.reduce((sum, { amount }) => sum + amount, 0),
    }),
    ...(batch && { batched_amount: batch.amount }),
    ...(lastBatchId !== undefined && {
      return_batch_id: lastBatchId,
      returned_count: returned.length,
      returned_amount: -returned.reduce((sum, { amount }) => sum + amount, 0),
    }),
  };
}

function isOfClient(operationId: string): boolean {
  return (parseOperationId(operationId)?.number ?? FIRST_SERVICE_OPERATION) < FIRST_SERVICE_OPERATION;
}

/** Of the payment method that the result shows: the one of its own outcome, else of the first operation's outcome. */
function personalOf({ paymentMethod, operations }: Payment, operation: Operation) {
  const own = operation.responses[0]?.outcome.paymentMethod.personal;
  return own ?? operations[0]?.responses[0]?.outcome.paymentMethod.personal ?? paymentMethod.personal;
}
