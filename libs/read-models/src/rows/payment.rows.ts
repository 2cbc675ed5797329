import {
  evolvePayment,
  findOperation,
  FIRST_OWN_OPERATION,
  noPayment,
  PAYMENT_CATEGORY,
  parseOperationId,
  paymentCodec,
  type Operation,
  type OperationId,
  type Payment,
  type PaymentState,
} from '@tillstream/domain';
import { transactionResult } from '@tillstream/presentation';
import { checkKnown, decoded, namedOperations, operationIds, type RowSource } from './row.source.js';
import { transactionRow } from './transaction.row.js';

/** Payments in `transactions`: a row for each operation that a client began. */
export const paymentRows: RowSource<PaymentState> = {
  category: PAYMENT_CATEGORY,
  initial: noPayment,
  check: (recorded) => checkKnown(paymentCodec, recorded),
  evolve: (state, recorded) => evolvePayment(state, decoded(paymentCodec, recorded)),
  contributions: {
    transactions: {
      ids: (stream) => operationIds('payment', stream),
      touched: (_stream, events) => namedOperations(events, isClients),
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
          ...(state.paymentMethod.type === 'Token' && { tokenId: state.paymentMethod.id }),
          personal: personalOf(state, operation),
        });
      },
    },
  },
};

function isClients(operationId: string): boolean {
  return (parseOperationId(operationId)?.number ?? FIRST_OWN_OPERATION) < FIRST_OWN_OPERATION;
}

/** Of the method that the result shows, which is what its outcome, else the opening's, knew last. */
function personalOf({ paymentMethod, operations }: Payment, operation: Operation) {
  const own = operation.responses[0]?.outcome.paymentMethod.personal;
  return own ?? operations[0]?.responses[0]?.outcome.paymentMethod.personal ?? paymentMethod.personal;
}
