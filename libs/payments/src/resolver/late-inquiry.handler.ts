import { wasNotExecuted, findOperation, type Operation } from '@tillstream/domain';
import { attemptInquiry, findProcessor } from './attempt-inquiry.js';
import { expire, reverse } from './reversal.handler.js';
import type { Parts } from '../parts.js';
import type { PaymentContext } from './operation.context.js';
import type { WorkItemResult } from './work-item.schedule.js';

/**
 * Asks the processor again about an operation that was closed as not executed, or that an operator declined. Records a late
 * execution; the work queue then has its reversal.
 */
export async function inquireLate(parts: Parts, found: PaymentContext): Promise<WorkItemResult> {
  const { operation, merchant, loaded, cause } = found;
  const { paymentSender } = parts;
  if (!wasNotExecuted(operation) && !isDeclinedByOperator(operation)) return 'Done';
  const processor = findProcessor(parts, operation);
  if (!processor) return 'Unconfigured';
  const result = await processor.inquire(attemptInquiry(parts, paymentSender, found));
  // Neither says that the processor did not execute the attempt.
  if (result.kind === 'NoAnswer' || result.kind === 'StillRunning') return 'Again';
  // A bank has it after all, and still decides. Another reversal now could give the money back twice.
  if (result.kind === 'Found' && result.answer.kind === 'Submitted') return 'Again';
  if (result.kind === 'Found' && result.answer.kind === 'Approved') {
    const number = operation.attempt?.number ?? 0;
    const late = { operationId: operation.id, number, answer: result.answer, source: 'LateAnswer' } as const;
    const written = await paymentSender.record(loaded, { merchant, cause, ...late });
    return written.kind === 'Written' ? 'Done' : 'Again';
  }
  return wasNotExecuted(operation) && operation.kind === 'Reversal'
    ? reverseAgain(parts, found)
    : 'NextInquiry';
}

/** Starts another reversal of the same operation after one that was not executed. */
async function reverseAgain(parts: Parts, found: PaymentContext): Promise<WorkItemResult> {
  const { originalId, reversalCause, id } = found.operation;
  const original = findOperation(found.payment, originalId ?? id);
  if (!original) return 'NextInquiry';
  const toReverse = { ...found, operation: original };
  return reversalCause === 'LateApproval' ? reverse(parts, toReverse) : expire(parts, toReverse);
}

function isDeclinedByOperator({ progress, responses, lateApprovals }: Operation): boolean {
  const isByOperator = responses[0]?.outcome.source === 'Operator';
  return progress.status === 'Declined' && isByOperator && lateApprovals.length === 0;
}
