import { streamOfTokenOperation, type NoticeId } from '@tillstream/domain';
import type { HolderId, Work, WorkSubject } from '../open-work.port.js';
import { expire, giveBackLimit, lookAgain, reverse } from './aftermath.work.js';
import { awaitAnswer, resolveAttempt } from './attempt.work.js';
import { load, type ResolveParts } from './case.js';
import { destroyKeys, finishErasure, lookAtHolder } from './removal.work.js';
import { applyNotice } from './notice.work.js';
import { loadToken } from './token.case.js';
import type { Worked } from './worked.js';

/** Does one piece of work. It never guesses: what is not known stays unknown (payment protocol 4 and 5). */
export async function resolve(parts: ResolveParts, work: Work): Promise<Worked> {
  if (isHolder(work.subject)) return finishErasure(parts, work.subject);
  if (isNotice(work.subject)) return applyNotice(parts, work.subject);
  return streamOfTokenOperation(work.subject) === undefined
    ? ofPayment(parts, work, work.subject)
    : ofToken(parts, work, work.subject);
}

async function ofPayment(
  parts: ResolveParts,
  { kind }: Work,
  operationId: Exclude<WorkSubject, HolderId | NoticeId>,
): Promise<Worked> {
  const found = await load(parts, operationId);
  // Its events are what made this work: somebody has to look where they went.
  if (!found) return 'Operator';
  switch (kind) {
    case 'Outcome':
      return resolveAttempt(parts, parts.paymentSender, found);
    case 'Answer':
      return awaitAnswer(parts, parts.paymentSender, found);
    case 'LateCheck':
      return lookAgain(parts, found);
    case 'Reversal':
      return reverse(parts, found);
    case 'Expiry':
      return expire(parts, found);
    case 'RefundLimit':
      return giveBackLimit(parts, found);
    case 'KeyDestruction':
    case 'Erasure':
    case 'Notice':
      return 'Operator';
  }
}

async function ofToken(
  parts: ResolveParts,
  { kind }: Work,
  operationId: Exclude<WorkSubject, HolderId | NoticeId>,
): Promise<Worked> {
  const found = await loadToken(parts, operationId);
  if (!found) return 'Operator';
  switch (kind) {
    case 'Outcome':
      return resolveAttempt(parts, parts.verificationSender, found);
    case 'KeyDestruction':
      return destroyKeys(parts, found);
    case 'Erasure':
      return lookAtHolder(parts, found);
    case 'LateCheck':
    case 'Reversal':
    case 'Expiry':
    case 'RefundLimit':
    case 'Answer':
    case 'Notice':
      return 'Operator';
  }
}

function isNotice(subject: WorkSubject): subject is NoticeId {
  return subject.startsWith('ntc_');
}

function isHolder(subject: WorkSubject): subject is HolderId {
  return subject.startsWith('acc_');
}
