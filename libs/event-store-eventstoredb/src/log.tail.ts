import {
  BACKWARDS,
  END,
  type AllStreamRecordedEvent,
  type AllStreamResolvedEvent,
} from '@eventstore/db-client';
import type { Try } from './call.deadline.js';
import { collect } from './reading.js';
import { isAfter, type Place } from './position.text.js';
import { placeOfEvent } from './recorded.event.js';
import type { Wanted } from './wanted.events.js';

/** What lies at the end of the log, beyond a place. */
export interface LogTail {
  /** The last record of all; undefined in an empty log. */
  readonly head: Place | undefined;
  /** The last event that is wanted, if one was found. */
  readonly last: Place | undefined;
  /** All of the tail was looked at, or `last` was found. */
  readonly complete: boolean;
}

/** Reads the log backwards from its end, down to `beyond` (undefined: its beginning), at most so many records. */
export async function readTail(
  turn: Try,
  wanted: Wanted,
  beyond: Place | undefined,
  options: { readonly most: number; readonly mustLead: boolean },
): Promise<LogTail> {
  let head: Place | undefined;
  let last: Place | undefined;
  let seen = 0;
  let complete = false;
  const reading = turn.client.readAll({
    direction: BACKWARDS,
    fromPosition: END,
    maxCount: options.most,
    requiresLeader: options.mustLead,
  });
  await collect<AllStreamResolvedEvent>(reading, turn, ({ event }) => {
    if (event === undefined) return true;
    const place = placeOfEvent(event as AllStreamRecordedEvent);
    seen += 1;
    head ??= place;
    if (!isAfter(place, beyond)) complete = true;
    else if (wanted.has(event)) last = place;
    return !complete && last === undefined;
  });
  return { head, last, complete: complete || last !== undefined || seen < options.most };
}

/** The place of the last record; undefined in an empty log. */
export async function readHead(turn: Try, mustLead: boolean): Promise<Place | undefined> {
  let head: Place | undefined;
  const reading = turn.client.readAll({
    direction: BACKWARDS,
    fromPosition: END,
    maxCount: 1,
    requiresLeader: mustLead,
  });
  await collect<AllStreamResolvedEvent>(reading, turn, ({ event }) => {
    if (event !== undefined) head = placeOfEvent(event);
    return true;
  });
  return head;
}
