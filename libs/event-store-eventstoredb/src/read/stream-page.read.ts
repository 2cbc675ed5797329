import { BACKWARDS, END, FORWARDS, START, type ResolvedEvent } from '@eventstore/db-client';
import {
  checkStreamName,
  checkedPageSize,
  checkedFromRevision,
  type ReadStreamOptions,
  type RecordedEvent,
  type StreamPage,
} from '@tillstream/event-store';
import { CallFailed } from '../connection/error.mapping.js';
import type { LeaderConnection } from '../connection/leader.connection.js';
import { readEach } from './driver.read.js';
import { recordedEvent } from './log.event.js';

/** Reads one page of a stream from the leader, so it includes all acknowledged events. */
export async function readStreamPage(
  connection: LeaderConnection,
  deadlineMs: number,
  stream: string,
  options: ReadStreamOptions,
): Promise<StreamPage> {
  checkStreamName(stream);
  const limit = checkedPageSize(options.limit);
  const backwards = options.direction === 'backwards';
  const from = checkedFromRevision(options.from);
  try {
    return await connection.call(deadlineMs, 'read', async (attempt) => {
      const events: RecordedEvent[] = [];
      const reading = attempt.client.readStream(stream, {
        direction: backwards ? BACKWARDS : FORWARDS,
        fromRevision: from !== undefined ? BigInt(from) : backwards ? END : START,
        // One more event than requested shows whether the page is the last.
        maxCount: limit + 1,
        requiresLeader: true,
      });
      await readEach<ResolvedEvent>(reading, attempt, ({ event }) => {
        if (event !== undefined) events.push(recordedEvent(event));
        return true;
      });
      const end = events.length <= limit;
      if (!end) events.pop();
      return { events, end };
    });
  } catch (error) {
    if (error instanceof CallFailed && error.fault.kind === 'NoStream') return { events: [], end: true };
    throw error;
  }
}
