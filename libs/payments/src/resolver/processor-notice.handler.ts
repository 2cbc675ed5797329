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
import { writeThroughPayment } from '../read-model-write-through/write-through.js';
import { resolveAttempt } from './unknown-attempt.handler.js';
import { loadPaymentContext, type PaymentContext, type ResolverParts } from './payment.context.js';
import { loadTokenContext } from './token.context.js';
import type { WorkItemResult } from './work-item.result.js';

type Result = NoticeApplied['result'];

/** A fact that was received is decided anew as often as others are faster. */
const UNTIL_WRITTEN = Number.POSITIVE_INFINITY;

/** Applies a stored notice to its payment. Every step is repeatable: a notice may be applied twice, and counts once. */
export async function applyNotice(parts: ResolverParts, id: NoticeId): Promise<WorkItemResult> {
  const loaded = await parts.notices.load(streamOfNotice(id));
  if (loaded.state.status === 'None') return 'Operator';
  if (loaded.state.status === 'Applied') return 'Done';
  const { notice } = loaded.state;
  const result = await applyToOperation(parts, notice);
  if (result === 'Operator' || result === 'Again') return result;
  const { merchantId, operationId } = notice;
  const applied = { at: iso(parts.clock.now()), id, operationId, result };
  const cause = { merchantId, actor: serviceActor, causationId: id };
  const written = await parts.notices.transact(
    loaded.stream,
    cause,
    (state) => markNoticeApplied(state, applied),
    {
      known: loaded,
    },
  );
  return written.kind === 'Written' ? 'Done' : 'Again';
}

async function applyToOperation(
  parts: ResolverParts,
  notice: NoticeReceived,
): Promise<Result | 'Operator' | 'Again'> {
  if (streamOfTokenOperation(notice.operationId) !== undefined) return applyToVerification(parts, notice);
  const found = await loadPaymentContext(parts, notice.operationId);
  if (!found) return 'Operator';
  return notice.content.kind === 'Answered'
    ? recordResponse(parts, found, notice, notice.content)
    : recordFact(parts, found, notice);
}

async function recordResponse(
  { paymentSender }: ResolverParts,
  { merchant, loaded, payment, cause }: PaymentContext,
  { operationId, try: number }: NoticeReceived,
  { answer }: Extract<NoticeReceived['content'], { kind: 'Answered' }>,
): Promise<Result | 'Again'> {
  const isBank = payment.channel === 'Ach' || payment.channel === 'Eft';
  const source: OutcomeSource = isBank ? 'Bank' : 'LateAnswer';
  const of = { merchant, operationId, number, answer, source, cause };
  const written = await paymentSender.record(loaded, of);
  // An approval of no amount is no fact: an inquiry has to tell.
  if (written.kind === 'Rejected') return 'Ignored';
  if (written.kind === 'Contended') return 'Again';
  await paymentSender.aggregate.writeReadModels(written.loaded, operationId);
  return written.events.length > 0 ? 'Recorded' : 'Repeated';
}

async function recordFact(
  { payments, readModels, clock, log }: ResolverParts,
  { loaded, cause }: PaymentContext,
  notice: NoticeReceived,
): Promise<Result | 'Again'> {
  const at = iso(clock.now());
  const written = await payments.transact(loaded.stream, cause, (state) => decideNotice(state, notice, at), {
    known: loaded,
    attempts: UNTIL_WRITTEN,
  });
  if (written.kind === 'Rejected') return 'Ignored';
  if (written.kind === 'Contended') return 'Again';
  for (const reason of newlyBrokenLimits(loaded.state, written.loaded.state))
    log.error('limit-broken', { operationId: notice.operationId, reason });
  await writeThroughPayment(readModels, written.loaded);
  if (written.events.length > 0) return 'Recorded';
  // The challenge may be done before the answer that opens it is recorded.
  const now = findOperation(written.loaded.state, notice.operationId);
  const comesTooSoon = notice.content.kind === 'ChallengeDone' && now !== undefined && hasUnknownOutcome(now);
  return comesTooSoon ? 'Again' : 'Repeated';
}

function decideNotice(
  state: PaymentState,
  { operationId, try: number, noticeId, content }: NoticeReceived,
  at: string,
): PaymentDecision {
  const of = { at, operationId };
  switch (content.kind) {
    case 'Returned': {
      const { kind: _kind, ...returned } = content;
      return recordBankReturn(state, { ...of, ...returned });
    }
    case 'NoticeOfChange': {
      const { code, corrected } = content;
      return recordNoticeOfChange(state, { ...of, noticeId, code, corrected });
    }
    case 'ChargedBack': {
      const { kind: _kind, ...chargeback } = content;
      return recordChargeback(state, { ...of, ...chargeback });
    }
    case 'ChallengeDone': {
      const { challengeId, threeDs } = content;
      return endChallenge(state, { ...of, try: number, challengeId, threeDs });
    }
    case 'Answered':
      throw new Error('an answer is recorded by the sender of attempts');
  }
}

/** A notice never brings a card, so the processor is asked: its answer has what is to be stored. */
async function applyToVerification(
  parts: ResolverParts,
  { operationId, content }: NoticeReceived,
): Promise<Result | 'Operator' | 'Again'> {
  const found = await loadTokenContext(parts, operationId);
  if (!found) return 'Operator';
  if (content.kind !== 'Answered') return 'Ignored';
  const worked = await resolveAttempt(parts, parts.verificationSender, found);
  // Its processor is configured no more. The check's own work waits for an operator, and needs no notice to go on.
  if (worked === 'Operator') return 'Ignored';
  return worked === 'Again' ? 'Again' : 'Recorded';
}
