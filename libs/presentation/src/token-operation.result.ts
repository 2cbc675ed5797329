import { resultText } from '@tillstream/contracts';
import {
  findTokenOperation,
  latestThreeDs,
  pick,
  type OperationId,
  type RecordedResponse,
  type Token,
} from '@tillstream/domain';
import { snapshotDetails } from './payment-method.details.js';
import { withTokenDetails } from './token.details.js';
import { publicStatus } from './transaction.status.js';
import { pendingChallenge, pendingForm, threeDsShape, type PresentedResult } from './transaction.result.js';

/**
 * The public result of a stored card's operation (`docs/spec/transactions.md#result` and
 * `docs/spec/payment-methods.md`), with the fields of a payment's result in the same order, without `amount`. Every
 * operation of a removed token shows the removal. Equal state gives equal bytes. Expiry and billing contact are sealed;
 * `withTokenDetails` adds them after decryption.
 *
 * @throws RangeError for an operation that the token does not have
 */
export function tokenOperationResult(token: Token, operationId: OperationId): PresentedResult {
  const operation = findTokenOperation(token, operationId);
  if (!operation) throw new RangeError(`the token has no operation ${operationId}`);
  const { kind, progress, responses, paymentMethod } = operation;
  const newest = responses[0]?.outcome;
  // The attempt that created the token shows the token; any other shows the presented card.
  const creating = progress.status === 'Approved' ? responses[0] : undefined;
  const paymentMethodOf = (response?: RecordedResponse) =>
    snapshotDetails(response && response !== creating ? response.outcome.paymentMethod : paymentMethod);
  const byForm = token.form !== undefined && kind === 'TokenCreate';
  const outcome = publicStatus({ progress, responses, byForm, paymentMethodOf });
  const threeDs = token.channel === 'CardPresent' ? undefined : latestThreeDs(operation);
  const result: PresentedResult = {
    id: operation.id,
    referenceId: operation.referenceId,
    type: kind,
    status: outcome.status,
    resultCode: outcome.resultCode,
    resultText: resultText(outcome.resultCode),
    currency: token.currency,
    transactionResponses: outcome.responses,
    paymentMethod: snapshotDetails(paymentMethod),
    ...(threeDs && { threeDs: threeDsShape(threeDs) }),
    ...pendingChallenge(operation),
    ...pendingForm(byForm ? token.form : undefined, outcome.status),
    ...pick(operation, 'accountHolderId'),
    ...(newest && pick(newest, 'gatewayTransactionId')),
    createdAt: operation.createdAt,
    updatedAt: operation.updatedAt,
  };
  return token.removedAt === undefined
    ? result
    : withTokenDetails(result, { id: token.id, dateDeleted: token.removedAt });
}
