import {
  endChallenge,
  findOperation,
  hasUnknownOutcome,
  isBankChannel,
  newlyBrokenLimits,
  recordBankReturn,
  recordChargeback,
  recordNoticeOfChange,
  type NoticeApplied,
  type NoticeReceived,
  type OutcomeSource,
  type PaymentDecision,
  type PaymentState,
} from '@tillstream/domain';
import type { Parts } from '../parts.js';
import { iso } from '../ports/clock.port.js';
import { writeThrough } from '../read-model-write-through/write-through.js';
import type { PaymentContext } from '../resolver/operation.context.js';
import { UNTIL_WRITTEN } from '../stream-repository/repositories.js';

/** A notice, as far as its payment needs it. */
export type PaymentNotice = Pick<NoticeReceived, 'operationId' | 'try' | 'noticeId' | 'content'>;

/** `Again`: the payment can't take the notice yet. */
export type PaymentNoticeResult = NoticeApplied['result'] | 'Again';

/**
 * Appends the fact of a notice to its payment and writes the read models. A notice that is applied twice counts once.
 * @throws EventStoreError, VaultError: it is not known whether the fact was appended
 */
export function applyToPayment(
  parts: Parts,
  found: PaymentContext,
  notice: PaymentNotice,
): Promise<PaymentNoticeResult> {
  return notice.content.kind === 'Answered'
    ? recordNoticeResponse(parts, found, notice, notice.content)
    : recordFact(parts, found, notice);
}

async function recordNoticeResponse(
  { paymentSender, crashPoints }: Parts,
  { merchant, loaded, payment, cause }: PaymentContext,
  { operationId, try: number }: PaymentNotice,
  { answer }: Extract<NoticeReceived['content'], { kind: 'Answered' }>,
): Promise<PaymentNoticeResult> {
  const source: OutcomeSource = isBankChannel(payment.channel) ? 'Bank' : 'LateAnswer';
  crashPoints.reached('before-notice-stored');
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
  crashPoints.reached('after-notice-stored');
  await paymentSender.aggregate.writeReadModels(written.loaded, operationId);
  return written.events.length > 0 ? 'Recorded' : 'Repeated';
}

async function recordFact(
  { payments, readModels, clock, log, crashPoints }: Parts,
  { loaded, cause }: PaymentContext,
  notice: PaymentNotice,
): Promise<PaymentNoticeResult> {
  const at = iso(clock.now());
  crashPoints.reached('before-notice-stored');
  const written = await payments.transact(loaded, cause, (state) => decideNotice(state, notice, at), {
    decisionsMax: UNTIL_WRITTEN,
  });
  if (written.kind === 'Rejected') return 'Ignored';
  if (written.kind === 'Contended') return 'Again';
  for (const reason of newlyBrokenLimits(loaded.state, written.loaded.state))
    log.error('limit-broken', { operationId: notice.operationId, reason });
  crashPoints.reached('after-notice-stored');
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
  { operationId, try: number, noticeId, content }: PaymentNotice,
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
