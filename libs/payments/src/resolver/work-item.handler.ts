import {
  isPending,
  movedAmount,
  streamOfOperation,
  type NoticeId,
  type OperationId,
} from '@tillstream/domain';
import type { HolderId, WorkItem, WorkKind, WorkSubject } from '../work-queue/work-queue.port.js';
import { endChallengeInTime } from '../three-ds/challenge-expiry.handler.js';
import { withOpenChallenge } from '../three-ds/challenge.completion.js';
import { destroyChallengedCards } from '../three-ds/challenged-card.handler.js';
import { expireForm } from './form-expiry.handler.js';
import { inquireLate } from './late-inquiry.handler.js';
import { expire, reverse } from './reversal.handler.js';
import { resolveAttempt, resolveDelayedResponse } from './unknown-attempt.handler.js';
import { destroyKeys, finishErasure, removeIfHolderErased } from './key-destruction.handler.js';
import { applyNotice } from './processor-notice.handler.js';
import type { Parts } from '../parts.js';
import {
  type PaymentContext,
  loadPaymentContext,
  type TokenContext,
  loadTokenContext,
  withAttempt,
} from './operation.context.js';
import type { WorkItemResult } from './work-item.schedule.js';

type OperationHandler = (parts: Parts, operationId: OperationId) => Promise<WorkItemResult | undefined>;

const ofPayment =
  (handle: (parts: Parts, found: PaymentContext) => Promise<WorkItemResult>): OperationHandler =>
  async (parts, operationId) => {
    const found = await loadPaymentContext(parts, operationId);
    return found && handle(parts, found);
  };

const ofToken =
  (handle: (parts: Parts, found: TokenContext) => Promise<WorkItemResult>): OperationHandler =>
  async (parts, operationId) => {
    const found = await loadTokenContext(parts, operationId);
    return found && handle(parts, found);
  };

const HANDLERS: Readonly<Record<Exclude<WorkKind, 'Notice'>, OperationHandler>> = {
  Outcome: (parts, id) => withAttempt(parts, id, (sender, found) => resolveAttempt(parts, sender, found)),
  Answer: (parts, id) =>
    withAttempt(parts, id, (sender, found) => {
      const challenged = withOpenChallenge(found);
      return challenged
        ? endChallengeInTime(parts, sender, challenged)
        : resolveDelayedResponse(parts, sender, found);
    }),
  LateCheck: ofPayment(inquireLate),
  Reversal: ofPayment(reverse),
  Expiry: ofPayment(expire),
  FormExpiry: expireForm,
  RefundLimit: ofPayment(releaseRefundLimit),
  KeyDestruction: (parts, id) =>
    streamOfOperation(id) === undefined
      ? ofToken(destroyKeys)(parts, id)
      : ofPayment(destroyChallengedCards)(parts, id),
  Erasure: ofToken(removeIfHolderErased),
};

/** Runs the handler of a work item. No handler guesses an outcome. */
export async function handleWorkItem(parts: Parts, { kind, subject }: WorkItem): Promise<WorkItemResult> {
  if (isHolder(subject)) return finishErasure(parts, subject);
  if (isNotice(subject)) return applyNotice(parts, subject);
  // `Operator` if the operation is missing: its own events made this work item, so a person has to look.
  return (kind !== 'Notice' && (await HANDLERS[kind](parts, subject))) || 'Operator';
}

/** Gives back the part of the daily limit that an unreferenced refund reserved, if the refund moved no money. */
async function releaseRefundLimit(
  parts: Parts,
  { merchant, payment, operation, cause }: PaymentContext,
): Promise<WorkItemResult> {
  if (isPending(operation)) return 'Again';
  if (movedAmount(operation) > 0) return 'Done';
  const { id: operationId, amount, createdAt: at } = operation;
  await parts.refundLimits.release(merchant, { operationId, amount, currency: payment.currency, at }, cause);
  return 'Done';
}

function isNotice(subject: WorkSubject): subject is NoticeId {
  return subject.startsWith('ntc_');
}

function isHolder(subject: WorkSubject): subject is HolderId {
  return subject.startsWith('acc_');
}
