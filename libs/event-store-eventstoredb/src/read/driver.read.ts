import { BACKWARDS, END, type AllStreamRecordedEvent, type StreamingRead } from '@eventstore/db-client';
import type { CallAttempt } from '../connection/call.deadline.js';
import { eventLogPosition, isAfter, type EventFilter, type LogPosition } from './log.event.js';

const TAIL_RECORDS_MAX = 2000;

/**
 * Passes each item of a bounded read to `take` until `take` returns false or throws, or the read ends. Rejects with the
 * driver's error. `attempt.onCancel` ends the read.
 */
export function readEach<Item>(
  reading: StreamingRead<Item>,
  attempt: Pick<CallAttempt, 'onCancel'>,
  take: (item: Item) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let done = false;
    const leave = (): void => {
      if (done) return;
      done = true;
      reading.cancel().catch(() => undefined);
      reading.destroy();
    };
    attempt.onCancel = leave;
    reading.on('data', (item) => {
      if (done) return;
      try {
        if (take(item)) return;
        resolve();
      } catch (error) {
        reject(error as Error);
      }
      leave();
    });
    // The listener stays: the driver may emit more errors, and an unhandled one ends the process.
    reading.on('error', (error) => {
      reject(error);
      leave();
    });
    reading.on('end', () => {
      done = true;
      resolve();
    });
    reading.on('close', () => {
      done = true;
      reject(new Error('the reading was closed'));
    });
  });
}

/** The end of the log, after a position. */
export interface LogTail {
  /** The last record; undefined in an empty log. */
  readonly head: LogPosition | undefined;
  /** The last event that passes the filter, if the read found one. */
  readonly last: LogPosition | undefined;
  /** The read reached the end of the tail, or found `last`. */
  readonly complete: boolean;
}

/** Reads the log backwards from its end to `beyond` (undefined: its beginning), at most `TAIL_RECORDS_MAX` records. */
export async function readTail(
  attempt: CallAttempt,
  wanted: EventFilter,
  beyond: LogPosition | undefined,
  mustLead: boolean,
): Promise<LogTail> {
  let head: LogPosition | undefined;
  let last: LogPosition | undefined;
  let records = 0;
  let complete = false;
  await readBackwards(attempt, TAIL_RECORDS_MAX, mustLead, (event) => {
    const position = eventLogPosition(event);
    records += 1;
    head ??= position;
    if (!isAfter(position, beyond)) complete = true;
    else if (wanted.matches(event)) last = position;
    return !complete && last === undefined;
  });
  return { head, last, complete: complete || last !== undefined || records < TAIL_RECORDS_MAX };
}

/** The position of the last record; undefined in an empty log. */
export async function readHead(attempt: CallAttempt, mustLead: boolean): Promise<LogPosition | undefined> {
  let head: LogPosition | undefined;
  await readBackwards(attempt, 1, mustLead, (event) => {
    head = eventLogPosition(event);
    return true;
  });
  return head;
}

function readBackwards(
  attempt: CallAttempt,
  maxCount: number,
  requiresLeader: boolean,
  take: (event: AllStreamRecordedEvent) => boolean,
): Promise<void> {
  const options = { direction: BACKWARDS, fromPosition: END, maxCount, requiresLeader } as const;
  const reading = attempt.client.readAll(options);
  return readEach(reading, attempt, ({ event }) => event === undefined || take(event));
}
