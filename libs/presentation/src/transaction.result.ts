import {
  resultText,
  type ThreeDsAuthentication,
  type TransactionResult,
  type TransactionStatus,
  type TransactionType,
} from '@tillstream/contracts';
import {
  findOperation,
  generatedReferenceId,
  latestThreeDs,
  pick,
  settlementIdOf,
  settlementKindOf,
  type HostedForm,
  type Operation,
  type OperationId,
  type Payment,
  type ThreeDsFacts,
} from '@tillstream/domain';
import { paymentMethodDetails } from './payment-method.details.js';
import { breakdownShape, publicStatus } from './transaction.status.js';

/** The stored and sent form of a result. */
export function transactionJson(result: TransactionResult | PresentedResult): string {
  return JSON.stringify(result);
}

/**
 * The public result of an operation (`docs/spec/transactions.md#result`). Equal state gives equal bytes.
 *
 * @throws RangeError for an operation that the payment does not have, and for the service's own
 */
export function transactionResult(payment: Payment, operationId: OperationId): PresentedResult {
  const operation = findOperation(payment, operationId);
  if (!operation) throw new RangeError(`the payment has no operation ${operationId}`);
  const { status, resultCode, responses } = publicStatus({
    progress: operation.progress,
    responses: operation.responses,
    byForm: payment.form !== undefined && operation.originalId === undefined,
    paymentMethodOf: (response) => paymentMethodDetails(payment, operation, response?.outcome.paymentMethod),
  });
  const newest = operation.responses[0]?.outcome;
  const { originalId, amountBreakdown, batch } = operation;
  const threeDs = payment.channel === 'CardPresent' ? undefined : latestThreeDs(operation);
  return {
    id: operation.id,
    referenceId: operation.referenceId ?? generatedReferenceId(operation.id),
    type: transactionType(operation),
    status,
    resultCode,
    resultText: resultText(resultCode),
    amount: operation.amount,
    currency: payment.currency,
    ...(amountBreakdown && { amountBreakdown: breakdownShape(amountBreakdown) }),
    ...(originalId !== undefined && { originalTransactionId: originalId }),
    ...pick(operation, 'executedAs', 'invoiceNumber', 'orderNumber'),
    transactionResponses: responses,
    paymentMethod: paymentMethodDetails(payment, operation, newest?.paymentMethod),
    ...(threeDs && { threeDs: threeDsShape(threeDs) }),
    ...pendingChallenge(operation),
    ...pendingForm(operation.originalId === undefined ? payment.form : undefined, status),
    ...pick(payment, 'accountHolderId'),
    ...(newest && pick(newest, 'gatewayTransactionId')),
    ...(batch && {
      batchId: batch.id,
      settlementId: settlementIdOf(batch.id, settlementKindOf(payment.channel)),
    }),
    createdAt: operation.createdAt,
    updatedAt: operation.updatedAt,
  };
}

/**
 * A result whose form has no link yet: the session id is a credential, so that neither events nor rows have it. A response
 * adds it with `withFormLink`.
 */
export type PresentedResult = Omit<TransactionResult, 'form'> & { form?: PendingForm };

export interface PendingForm {
  sessionHash: string;
  expiresAt: string;
}

/** A path is a page of this service: `withFormLink` makes it an address. */
export function pendingChallenge({ progress }: Pick<Operation, 'progress'>) {
  return progress.status === 'ChallengeOpen' && { threeDsChallenge: pick(progress, 'redirectUrl') };
}

/** The field `form` of the operation that a form is about, while it is pending. */
export function pendingForm(
  form: HostedForm | undefined,
  status: TransactionStatus,
): { readonly form?: PendingForm } {
  if (!form || status !== 'Pending') return {};
  const { sessionHash, expiresAt } = form;
  return { form: { sessionHash, expiresAt } };
}

function transactionType({ id, kind }: Operation): TransactionType {
  if (kind === 'Reversal') throw new RangeError(`${id} is the service's own operation`);
  return kind;
}

export function threeDsShape(facts: ThreeDsFacts): ThreeDsAuthentication {
  return pick(facts, 'status', 'cavv', 'eci', 'xid', 'dsTransId', 'threeDReasonId', 'threeDReason');
}
