import { BACKWARDS, END, FORWARDS, START, type ResolvedEvent } from '@eventstore/db-client';
import {
  checkStream,
  pageSize,
  readFrom,
  type ReadStream,
  type RecordedEvent,
  type StreamPage,
} from '@tillstream/event-store';
import { CallFailed } from './call.deadline.js';
import type { LeaderConnection } from './leader.connection.js';
import { collect } from './reading.js';
import { recordedEvent } from './recorded.event.js';

/** One page of a stream, from the leader: what was acknowledged before is in it. */
export async function readStreamPage(
  connection: LeaderConnection,
  deadlineMs: number,
  stream: string,
  options: ReadStream,
): Promise<StreamPage> {
  checkStream(stream);
  const limit = pageSize(options.limit);
  const backwards = options.direction === 'backwards';
  const from = readFrom(options.from);
  try {
    return await connection.call(deadlineMs, 'read', async (turn) => {
      const events: RecordedEvent[] = [];
      const reading = turn.client.readStream(stream, {
        direction: backwards ? BACKWARDS : FORWARDS,
        fromRevision: from !== undefined ? BigInt(from) : backwards ? END : START,
        // One more than asked for tells whether the page is the last.
        maxCount: limit + 1,
        requiresLeader: true,
      });
      await collect<ResolvedEvent>(reading, turn, ({ event }) => {
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
