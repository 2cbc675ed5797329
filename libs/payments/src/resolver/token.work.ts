import type { HolderEvent, TokenEvent } from '@tillstream/domain';
import type { HolderId, WorkChange } from '../open-work.port.js';
import type { Timings } from '../timings.js';
import { interrupted, over, put } from './work.change.js';

/** What an event of a token leaves to be done, or makes an end of. */
export function workOfToken(event: TokenEvent, realTime: number, timings: Timings): WorkChange[] {
  const { operationId: id, at } = event.data;
  const since = Date.parse(at);
  switch (event.type) {
    case 'VerificationRequested':
      return [put('Outcome', id, 'Real', Date.parse(event.data.answerBefore) + timings.margin, since)];
    case 'VerificationInterrupted': {
      const dueAt = realTime + timings.sendWithin + timings.margin;
      return event.data.cause === 'NoAnswer' ? [interrupted(id, dueAt, since)] : [];
    }
    case 'TokenCreated':
    case 'VerificationDeclined':
    case 'VerificationCancelled':
    case 'VerificationNotSent':
      return [over('Outcome', id)];
    case 'VerificationNotExecuted':
      // No money is in it, so nobody looks for a late approval. Whoever hears of one finds that it can't be kept.
      return [over('Outcome', id), put('KeyDestruction', id, 'Service', since + timings.margin, since)];
    case 'TokenUpdated':
      return event.data.accountHolderId === undefined
        ? []
        : [put('Erasure', id, 'Service', since + timings.margin, since)];
    case 'TokenRemoved':
      // Whoever removed it does it now.
      return [put('KeyDestruction', id, 'Service', since + timings.margin, since)];
    case 'TokenKeysDestroyed':
      return [over('KeyDestruction', id)];
    case 'TokenRequested':
      return [];
  }
}

/** What an event of a holder leaves to be done: erasing one goes on at once, also while somebody else is at it. */
export function workOfHolder(event: HolderEvent, id: HolderId): WorkChange[] {
  const since = Date.parse(event.data.at);
  switch (event.type) {
    case 'HolderErased':
      return [put('Erasure', id, 'Service', since, since)];
    case 'HolderErasureFinished':
      return [over('Erasure', id)];
    case 'HolderCreated':
    case 'HolderChanged':
    case 'TokenLinked':
      return [];
  }
}
