import type { HolderEvent, TokenEvent } from '@tillstream/domain';
import type { Timings } from '../timings.js';
import { putWorkItem, removeWorkItem } from './work-item.changes.js';
import type { HolderId, WorkItemChange } from './work-queue.port.js';

/** The work items that an event of a token adds or removes. `realTime`: when it was appended, ms since 1970. */
export function tokenWorkChanges(event: TokenEvent, realTime: number, timings: Timings): WorkItemChange[] {
  const { operationId: subject, at } = event.data;
  const since = Date.parse(at);
  // The process that runs the request does this work now. The resolver does it if that process dies.
  const afterMargin = { subject, clock: 'Service', dueAt: since + timings.margin, since } as const;
  const answered = [removeWorkItem('Outcome', subject), removeWorkItem('Answer', subject)];
  const ended = [...answered, removeWorkItem('FormExpiry', subject)];
  const outcomeBy = (answerBefore: string): WorkItemChange => {
    const dueAt = Date.parse(answerBefore) + timings.margin;
    return putWorkItem({ kind: 'Outcome', subject, clock: 'Real', dueAt, since });
  };
  const destruction = putWorkItem({ kind: 'KeyDestruction', ...afterMargin });
  const endedWithKeys = [...ended, destruction];
  switch (event.type) {
    case 'TokenRequested': {
      const { form } = event.data;
      if (!form) return [];
      return [
        putWorkItem({
          kind: 'FormExpiry',
          subject,
          clock: 'Service',
          dueAt: Date.parse(form.expiresAt),
          since,
        }),
      ];
    }
    case 'StorageConsentGiven':
      return [];
    case 'VerificationRequested':
      return [outcomeBy(event.data.answerBefore)];
    case 'VerificationThreeDsCompleted':
      return [outcomeBy(event.data.resumes.answerBefore)];
    case 'VerificationChallengeOpened': {
      const dueAt = Date.parse(event.data.expiresAt);
      const expiry = putWorkItem({ kind: 'Answer', subject, clock: 'Service', dueAt, since });
      return [removeWorkItem('Outcome', subject), expiry];
    }
    case 'VerificationChallengeEnded': {
      const { resumes } = event.data;
      return resumes ? [removeWorkItem('Answer', subject), outcomeBy(resumes.answerBefore)] : answered;
    }
    case 'VerificationInterrupted': {
      if (event.data.cause !== 'NoAnswer') return [];
      const dueAt = realTime + timings.sendWithin + timings.margin;
      return [putWorkItem({ kind: 'Outcome', subject, clock: 'Real', dueAt, since, interrupted: true })];
    }
    case 'VerificationFailed':
      return [...answered, destruction];
    case 'VerificationCancelled':
    case 'VerificationFormExpired':
      return ended;
    case 'TokenCreated':
    case 'VerificationDeclined':
      // A form sealed what its customer entered in each attempt under a key of the attempt.
      return event.data.channel === 'CardPresent' ? ended : endedWithKeys;
    case 'VerificationNotSent':
    case 'VerificationNotExecuted':
      // No late inquiry follows: a verification moves no money, and the service does not store a card that comes late.
      return endedWithKeys;
    case 'TokenUpdated':
      return event.data.accountHolderId === undefined
        ? []
        : [putWorkItem({ kind: 'Erasure', ...afterMargin })];
    case 'TokenRemoved':
      return [destruction];
    case 'TokenKeysDestroyed':
      return [removeWorkItem('KeyDestruction', subject)];
  }
}

/** The work items that an event of a holder adds or removes. The resolver may erase at the same time as the request. */
export function holderWorkChanges(event: HolderEvent, id: HolderId): WorkItemChange[] {
  const since = Date.parse(event.data.at);
  switch (event.type) {
    case 'HolderErased':
      return [putWorkItem({ kind: 'Erasure', subject: id, clock: 'Service', dueAt: since, since })];
    case 'HolderErasureFinished':
      return [removeWorkItem('Erasure', id)];
    case 'HolderCreated':
    case 'HolderChanged':
    case 'TokenLinked':
      return [];
  }
}
