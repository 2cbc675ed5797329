import {
  executedAttemptNumber,
  findOperation,
  pick,
  type AttemptedOperation,
  type Operation,
  type OperationId,
  type Payment,
} from '@tillstream/domain';
import type { FollowUpRequest, PaymentRequest } from '@tillstream/processors';

/* Builds processor requests of operations. */

export function processorKey(operationId: OperationId, number: number): string {
  return `${operationId}.${number}`;
}

/** The processor account of the operation's last attempt. */
export function processorAccount({ id, attempt }: AttemptedOperation): string {
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
    ...(operation.attempt && pick(operation.attempt, 'threeDs')),
  };
}

/** `originalKey` names the attempt that moved the original's money: the last one, or one that executed late. */
export function followUpRequest(payment: Payment, operation: Operation): FollowUpRequest {
  const original = operation.originalId && findOperation(payment, operation.originalId);
  if (!original) throw new Error(`operation ${operation.id} has no original`);
  const number = operation.originalTry ?? executedAttemptNumber(original);
  const late = original.lateApprovals.find((approval) => approval.try === number);
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
