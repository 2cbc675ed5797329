import {
  executedAttemptNumber,
  findOperation,
  type AttemptedOperation,
  type Operation,
  type OperationId,
  type Payment,
} from '@tillstream/domain';
import type { FollowUpRequest, PaymentRequest } from '@tillstream/processors';

/* What a processor is told of an operation. */

export function processorKey(operationId: OperationId, number: number): string {
  return `${operationId}.${number}`;
}

/** The merchant's account that the operation's attempt was planned with. */
export function processorAccount({ id, attempt: attempt }: AttemptedOperation): string {
  if (!attempt) throw new Error(`operation ${id} has no attempt`);
  return attempt.processorAccount;
}

export function paymentRequest(payment: Payment, operation: Operation): PaymentRequest {
  const network = operation.attempt?.networkTransactionId;
  return {
    merchantId: payment.merchantId,
    account: processorAccount(operation),
    channel: payment.channel,
    amount: operation.amount,
    currency: payment.currency,
    ...(payment.terminalId !== undefined && { terminalId: payment.terminalId }),
    ...(network !== undefined && { networkTransactionId: network }),
  };
}

/** The original's key is that of the try that moved its money: the last one, or the one found late. */
export function followUpRequest(payment: Payment, operation: Operation): FollowUpRequest {
  const original = operation.originalId && findOperation(payment, operation.originalId);
  if (!original) throw new Error(`operation ${operation.id} has no original`);
  const number = operation.originalTry ?? executedAttemptNumber(original);
  const late = original.lateApprovals.find((one) => one.try === number);
  const gatewayId = late ? late.gatewayTransactionId : original.responses[0]?.outcome.gatewayTransactionId;
  return {
    merchantId: payment.merchantId,
    account: processorAccount(operation),
    channel: payment.channel,
    amount: operation.amount,
    currency: payment.currency,
    originalKey: processorKey(original.id, number),
    ...(gatewayId !== undefined && { originalGatewayId: gatewayId }),
  };
}
