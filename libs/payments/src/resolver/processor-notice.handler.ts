import {
  endChallenge,
  findOperation,
  hasUnknownOutcome,
  newlyBrokenLimits,
  markNoticeApplied,
  recordBankReturn,
  recordChargeback,
  recordNoticeOfChange,
  streamOfNotice,
  streamOfTokenOperation,
  type NoticeApplied,
  type NoticeId,
  type NoticeReceived,
  type OutcomeSource,
  type PaymentDecision,
  type PaymentState,
} from '@tillstream/domain';
import { iso } from '../ports/clock.port.js';
import { serviceActor } from '../stream-repository/event-metadata.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import { resolveAttempt } from './unknown-attempt.handler.js';
import type { Parts } from '../parts.js';
import { loadPaymentContext, type PaymentContext, loadTokenContext } from './operation.context.js';
import type { WorkItemResult } from './work-item.schedule.js';

type Result = NoticeApplied['result'];

/** A received fact must be recorded: the repository decides again after every conflict. */
const UNTIL_WRITTEN = Number.POSITIVE_INFINITY;

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
  return notice.content.kind === 'Answered'
    ? recordNoticeResponse(parts, found, notice, notice.content)
    : recordFact(parts, found, notice);
}

async function recordNoticeResponse(
  { paymentSender }: Parts,
  { merchant, loaded, payment, cause }: PaymentContext,
  { operationId, try: number }: NoticeReceived,
  { answer }: Extract<NoticeReceived['content'], { kind: 'Answered' }>,
): Promise<Result | 'Again'> {
  const isBank = payment.channel === 'Ach' || payment.channel === 'Eft';
  const source: OutcomeSource = isBank ? 'Bank' : 'LateAnswer';
  const written = await paymentSender.record(loaded, {
    merchant,
    operationId,
    number,
    answer,
    source,
    cause,
  });
  // The domain rejects only impossible responses, such as an approval without an amount. An inquiry finds the outcome.
  if (written.kind === 'Rejected') return 'Ignored';
  if (written.kind === 'Contended') return 'Again';
  await paymentSender.aggregate.writeReadModels(written.loaded, operationId);
  return written.events.length > 0 ? 'Recorded' : 'Repeated';
}

async function recordFact(
  { payments, readModels, clock, log }: Parts,
  { loaded, cause }: PaymentContext,
  notice: NoticeReceived,
): Promise<Result | 'Again'> {
  const at = iso(clock.now());
  const written = await payments.transact(loaded, cause, (state) => decideNotice(state, notice, at), {
    decisionsMax: UNTIL_WRITTEN,
  });
  if (written.kind === 'Rejected') return 'Ignored';
  if (written.kind === 'Contended') return 'Again';
  for (const reason of newlyBrokenLimits(loaded.state, written.loaded.state))
    log.error('limit-broken', { operationId: notice.operationId, reason });
  await writeThrough(readModels, written.loaded);
  if (written.events.length > 0) return 'Recorded';
  // The notice that a challenge is done may arrive before the response that opens the challenge is recorded.
  const operation = findOperation(written.loaded.state, notice.operationId);
  const isTooEarly =
    notice.content.kind === 'ChallengeDone' && operation !== undefined && hasUnknownOutcome(operation);
  return isTooEarly ? 'Again' : 'Repeated';
}

function decideNotice(
  state: PaymentState,
  { operationId, try: number, noticeId, content }: NoticeReceived,
  at: string,
): PaymentDecision {
  const target = { at, operationId };
  switch (content.kind) {
    case 'Returned': {
      const { kind: _kind, ...returned } = content;
      return recordBankReturn(state, { ...target, ...returned });
    }
    case 'NoticeOfChange': {
      const { code, corrected } = content;
      return recordNoticeOfChange(state, { ...target, noticeId, code, corrected });
    }
    case 'ChargedBack': {
      const { kind: _kind, ...chargeback } = content;
      return recordChargeback(state, { ...target, ...chargeback });
    }
    case 'ChallengeDone': {
      const { challengeId, threeDs } = content;
      return endChallenge(state, { ...target, try: number, challengeId, threeDs });
    }
    case 'Answered':
      throw new Error('the attempt sender records the response of a notice');
  }
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
