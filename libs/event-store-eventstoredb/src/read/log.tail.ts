import {
  BACKWARDS,
  END,
  type AllStreamRecordedEvent,
  type AllStreamResolvedEvent,
} from '@eventstore/db-client';
import type { CallAttempt } from '../connection/call.deadline.js';
import { readEach } from './driver.read.js';
import { isAfter, type LogPosition } from './log.position.js';
import { eventLogPosition } from './recorded-event.js';
import type { EventFilter } from './event.filter.js';

/** The end of the log, after a position. */
export interface LogTail {
  /** The last record; undefined in an empty log. */
  readonly head: LogPosition | undefined;
  /** The last event that passes the filter, if the read found one. */
  readonly last: LogPosition | undefined;
  /** The read reached the end of the tail, or found `last`. */
  readonly complete: boolean;
}

/** Reads the log backwards from its end, down to `beyond` (undefined: its beginning), at most `options.most` records. */
export async function readTail(
  turn: CallAttempt,
  wanted: EventFilter,
  beyond: LogPosition | undefined,
  options: { readonly most: number; readonly mustLead: boolean },
): Promise<LogTail> {
  let head: LogPosition | undefined;
  let last: LogPosition | undefined;
  let seen = 0;
  let complete = false;
  const reading = turn.client.readAll({
    direction: BACKWARDS,
    fromPosition: END,
    maxCount: options.most,
    requiresLeader: options.mustLead,
  });
  await readEach<AllStreamResolvedEvent>(reading, turn, ({ event }) => {
    if (event === undefined) return true;
    const place = eventLogPosition(event as AllStreamRecordedEvent);
    seen += 1;
    head ??= place;
    if (!isAfter(place, beyond)) complete = true;
    else if (wanted.matches(event)) last = place;
    return !complete && last === undefined;
  });
  return { head, last, complete: complete || last !== undefined || seen < options.most };
}

/** The position of the last record; undefined in an empty log. */
export async function readHead(turn: CallAttempt, mustLead: boolean): Promise<LogPosition | undefined> {
  let head: LogPosition | undefined;
  const reading = turn.client.readAll({
    direction: BACKWARDS,
    fromPosition: END,
    maxCount: 1,
    requiresLeader: mustLead,
  });
  await readEach<AllStreamResolvedEvent>(reading, turn, ({ event }) => {
    if (event !== undefined) head = eventLogPosition(event);
    return true;
  });
  return head;
}
