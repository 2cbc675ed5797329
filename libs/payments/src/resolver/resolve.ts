import type { NoticeId, OperationId } from '@tillstream/domain';
import type { HolderId, Work, WorkKind, WorkSubject } from '../open-work.port.js';
import { expire, giveBackLimit, lookAgain, reverse } from './aftermath.work.js';
import { withAttempt, type AttemptStep } from './attempt.case.js';
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
  return ofOperation(parts, work.kind, work.subject);
}

/** `Operator` where the operation is not found: its events are what made this work. */
async function ofOperation(parts: ResolveParts, kind: WorkKind, operationId: OperationId): Promise<Worked> {
  switch (kind) {
    case 'Outcome':
      return asAttempt(parts, operationId, (sender, found) => resolveAttempt(parts, sender, found));
    case 'Answer':
      return asAttempt(parts, operationId, (sender, found) => awaitAnswer(parts, sender, found));
    case 'LateCheck':
    case 'Reversal':
    case 'Expiry':
    case 'RefundLimit':
      return ofPayment(parts, kind, operationId);
    case 'KeyDestruction':
    case 'Erasure':
      return ofToken(parts, kind, operationId);
    case 'Notice':
      return 'Operator';
  }
}

async function asAttempt(
  parts: ResolveParts,
  operationId: OperationId,
  step: AttemptStep<Worked>,
): Promise<Worked> {
  return (await withAttempt(parts, operationId, step)) ?? 'Operator';
}

async function ofPayment(
  parts: ResolveParts,
  kind: 'LateCheck' | 'Reversal' | 'Expiry' | 'RefundLimit',
  operationId: OperationId,
): Promise<Worked> {
  const found = await load(parts, operationId);
  if (!found) return 'Operator';
  switch (kind) {
    case 'LateCheck':
      return lookAgain(parts, found);
    case 'Reversal':
      return reverse(parts, found);
    case 'Expiry':
      return expire(parts, found);
    case 'RefundLimit':
      return giveBackLimit(parts, found);
  }
}

async function ofToken(
  parts: ResolveParts,
  kind: 'KeyDestruction' | 'Erasure',
  operationId: OperationId,
): Promise<Worked> {
  const found = await loadToken(parts, operationId);
  if (!found) return 'Operator';
  return kind === 'KeyDestruction' ? destroyKeys(parts, found) : lookAtHolder(parts, found);
}

function isNotice(subject: WorkSubject): subject is NoticeId {
  return subject.startsWith('ntc_');
}

function isHolder(subject: WorkSubject): subject is HolderId {
  return subject.startsWith('acc_');
}
