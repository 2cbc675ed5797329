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
  switch (event.type) {
    case 'VerificationRequested': {
      const dueAt = Date.parse(event.data.answerBefore) + timings.margin;
      return [putWorkItem({ kind: 'Outcome', subject, clock: 'Real', dueAt, since })];
    }
    case 'VerificationInterrupted': {
      if (event.data.cause !== 'NoAnswer') return [];
      const dueAt = realTime + timings.sendWithin + timings.margin;
      return [putWorkItem({ kind: 'Outcome', subject, clock: 'Real', dueAt, since, interrupted: true })];
    }
    case 'TokenCreated':
    case 'VerificationDeclined':
    case 'VerificationCancelled':
    case 'VerificationNotSent':
      return [removeWorkItem('Outcome', subject)];
    case 'VerificationNotExecuted':
      // No late inquiry follows: a verification moves no money, and the service does not store a card that comes late.
      return [removeWorkItem('Outcome', subject), putWorkItem({ kind: 'KeyDestruction', ...afterMargin })];
    case 'TokenUpdated':
      return event.data.accountHolderId === undefined
        ? []
        : [putWorkItem({ kind: 'Erasure', ...afterMargin })];
    case 'TokenRemoved':
      return [putWorkItem({ kind: 'KeyDestruction', ...afterMargin })];
    case 'TokenKeysDestroyed':
      return [removeWorkItem('KeyDestruction', subject)];
    case 'TokenRequested':
      return [];
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
