import type { NoticeId, OperationId } from '@tillstream/domain';
import type { HolderId, WorkItem, WorkKind, WorkSubject } from '../work-queue/work-queue.port.js';
import { withAttempt, type AttemptStep } from './attempt.context.js';
import { resolveDelayedResponse } from './delayed-response.handler.js';
import { inquireLate } from './late-inquiry.handler.js';
import { releaseRefundLimit } from './refund-limit.handler.js';
import { expire, reverse } from './reversal.handler.js';
import { resolveAttempt } from './unknown-attempt.handler.js';
import { loadPaymentContext, type ResolverParts } from './payment.context.js';
import { destroyKeys, finishErasure, removeIfHolderErased } from './key-destruction.handler.js';
import { applyNotice } from './processor-notice.handler.js';
import { loadTokenContext } from './token.context.js';
import type { WorkItemResult } from './work-item.result.js';

/** Runs the handler of a work item. No handler guesses an outcome (payment protocol 4 and 5). */
export async function handleWorkItem(parts: ResolverParts, work: WorkItem): Promise<WorkItemResult> {
  if (isHolder(work.subject)) return finishErasure(parts, work.subject);
  if (isNotice(work.subject)) return applyNotice(parts, work.subject);
  return handleOperation(parts, work.kind, work.subject);
}

/** `Operator` if the operation is missing: its own events made this work item, so a person has to look. */
async function handleOperation(
  parts: ResolverParts,
  kind: WorkKind,
  operationId: OperationId,
): Promise<WorkItemResult> {
  switch (kind) {
    case 'Outcome':
      return handleAttempt(parts, operationId, (sender, found) => resolveAttempt(parts, sender, found));
    case 'Answer':
      return handleAttempt(parts, operationId, (sender, found) =>
        resolveDelayedResponse(parts, sender, found),
      );
    case 'LateCheck':
    case 'Reversal':
    case 'Expiry':
    case 'RefundLimit':
      return handlePayment(parts, kind, operationId);
    case 'KeyDestruction':
    case 'Erasure':
      return handleToken(parts, kind, operationId);
    case 'Notice':
      return 'Operator';
  }
}

async function handleAttempt(
  parts: ResolverParts,
  operationId: OperationId,
  step: AttemptStep<WorkItemResult>,
): Promise<WorkItemResult> {
  return (await withAttempt(parts, operationId, step)) ?? 'Operator';
}

async function handlePayment(
  parts: ResolverParts,
  kind: 'LateCheck' | 'Reversal' | 'Expiry' | 'RefundLimit',
  operationId: OperationId,
): Promise<WorkItemResult> {
  const found = await loadPaymentContext(parts, operationId);
  if (!found) return 'Operator';
  switch (kind) {
    case 'LateCheck':
      return inquireLate(parts, found);
    case 'Reversal':
      return reverse(parts, found);
    case 'Expiry':
      return expire(parts, found);
    case 'RefundLimit':
      return releaseRefundLimit(parts, found);
  }
}

async function handleToken(
  parts: ResolverParts,
  kind: 'KeyDestruction' | 'Erasure',
  operationId: OperationId,
): Promise<WorkItemResult> {
  const found = await loadTokenContext(parts, operationId);
  if (!found) return 'Operator';
  return kind === 'KeyDestruction' ? destroyKeys(parts, found) : removeIfHolderErased(parts, found);
}

function isNotice(subject: WorkSubject): subject is NoticeId {
  return subject.startsWith('ntc_');
}

function isHolder(subject: WorkSubject): subject is HolderId {
  return subject.startsWith('acc_');
}
