import { isPending, movedAmount } from '@tillstream/domain';
import type { PaymentContext, ResolverParts } from './payment.context.js';
import type { WorkItemResult } from './work-item.result.js';

/** Gives back the part of the daily limit that an unreferenced refund reserved, if the refund moved no money. */
export async function releaseRefundLimit(
  parts: ResolverParts,
  { merchant, payment, operation, cause }: PaymentContext,
): Promise<WorkItemResult> {
  if (isPending(operation)) return 'Again';
  if (movedAmount(operation) > 0) return 'Done';
  const { id: operationId, amount, createdAt: at } = operation;
  await parts.refundLimits.release(merchant, { operationId, amount, currency: payment.currency, at }, cause);
  return 'Done';
}
