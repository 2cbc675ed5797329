import type { HolderEvent, TokenEvent } from '@tillstream/domain';
import type { HolderId, WorkItemChange } from './work-queue.port.js';
import type { Timings } from '../timings.js';
import { putInterruptedOutcome, removeWorkItem, putWorkItem } from './work-item.changes.js';

/** What an event of a token leaves to be done, or makes an end of. */
export function tokenWorkChanges(event: TokenEvent, realTime: number, timings: Timings): WorkItemChange[] {
  const { operationId: id, at } = event.data;
  const since = Date.parse(at);
  switch (event.type) {
    case 'VerificationRequested':
      return [
        putWorkItem('Outcome', id, 'Real', Date.parse(event.data.answerBefore) + timings.margin, since),
      ];
    case 'VerificationInterrupted': {
      const dueAt = realTime + timings.sendWithin + timings.margin;
      return event.data.cause === 'NoAnswer' ? [putInterruptedOutcome(id, dueAt, since)] : [];
    }
    case 'TokenCreated':
    case 'VerificationDeclined':
    case 'VerificationCancelled':
    case 'VerificationNotSent':
      return [removeWorkItem('Outcome', id)];
    case 'VerificationNotExecuted':
      // No money is in it, so nobody looks for a late approval. Whoever hears of one finds that it can't be kept.
      return [
        removeWorkItem('Outcome', id),
        putWorkItem('KeyDestruction', id, 'Service', since + timings.margin, since),
      ];
    case 'TokenUpdated':
      return event.data.accountHolderId === undefined
        ? []
        : [putWorkItem('Erasure', id, 'Service', since + timings.margin, since)];
    case 'TokenRemoved':
      // Whoever removed it does it now.
      return [putWorkItem('KeyDestruction', id, 'Service', since + timings.margin, since)];
    case 'TokenKeysDestroyed':
      return [removeWorkItem('KeyDestruction', id)];
    case 'TokenRequested':
      return [];
  }
}

/** What an event of a holder leaves to be done: erasing one goes on at once, also while somebody else is at it. */
export function holderWorkChanges(event: HolderEvent, id: HolderId): WorkItemChange[] {
  const since = Date.parse(event.data.at);
  switch (event.type) {
    case 'HolderErased':
      return [putWorkItem('Erasure', id, 'Service', since, since)];
    case 'HolderErasureFinished':
      return [removeWorkItem('Erasure', id)];
    case 'HolderCreated':
    case 'HolderChanged':
    case 'TokenLinked':
      return [];
  }
}
