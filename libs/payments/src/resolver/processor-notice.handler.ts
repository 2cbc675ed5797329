import {
  markNoticeApplied,
  streamOfNotice,
  streamOfTokenOperation,
  type NoticeApplied,
  type NoticeId,
  type NoticeReceived,
} from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import { applyToPayment } from '../processor-notices/payment-notice.application.js';
import { serviceActor } from '../stream-repository/event-metadata.js';
import { resolveAttempt } from './unknown-attempt.handler.js';
import type { Parts } from '../parts.js';
import { loadPaymentContext, loadTokenContext } from './operation.context.js';
import type { WorkItemResult } from './work-item.schedule.js';

type Result = NoticeApplied['result'];

/** Applies a stored processor notice to its payment or card verification. A notice that is applied twice counts once. */
export async function applyNotice(parts: Parts, id: NoticeId): Promise<WorkItemResult> {
  const loaded = await parts.notices.load(streamOfNotice(id));
  if (loaded.state.status === 'None') return 'Operator';
  if (loaded.state.status === 'Applied') return 'Done';
  const { notice } = loaded.state;
  const result = await applyToOperation(parts, notice);
  if (result === 'Operator' || result === 'Again') return result;
  const { merchantId, operationId } = notice;
  const applied = { at: iso(parts.clock.now()), id, operationId, result };
  const cause = { merchantId, actor: serviceActor, causationId: id };
  const written = await parts.notices.transact(loaded, cause, (state) => markNoticeApplied(state, applied));
  return written.kind === 'Written' ? 'Done' : 'Again';
}

async function applyToOperation(
  parts: Parts,
  notice: NoticeReceived,
): Promise<Result | 'Operator' | 'Again'> {
  if (streamOfTokenOperation(notice.operationId) !== undefined) return applyToVerification(parts, notice);
  const found = await loadPaymentContext(parts, notice.operationId);
  if (!found) return 'Operator';
  return applyToPayment(parts, found, notice);
}

/** A notice has no card, so the resolver inquires: the processor's response has the card to store. */
async function applyToVerification(
  parts: Parts,
  { operationId, content }: NoticeReceived,
): Promise<Result | 'Operator' | 'Again'> {
  const found = await loadTokenContext(parts, operationId);
  if (!found) return 'Operator';
  if (content.kind !== 'Answered') return 'Ignored';
  const outcome = await resolveAttempt(parts, parts.verificationSender, found);
  // The processor is not configured any more. The verification has a work item of its own, which waits for an operator.
  if (outcome === 'Operator') return 'Ignored';
  return outcome === 'Again' ? 'Again' : 'Recorded';
}
