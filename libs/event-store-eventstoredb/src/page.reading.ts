import {
  BACKWARDS,
  END,
  FORWARDS,
  START,
  type ResolvedEvent,
  type StreamingRead,
} from '@eventstore/db-client';
import {
  checkStream,
  pageSize,
  readFrom,
  type ReadStream,
  type RecordedEvent,
  type StreamPage,
} from '@tillstream/event-store';
import { CallFailed, type Try } from './call.deadline.js';
import type { LeaderConnection } from './leader.connection.js';
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

/**
 * Hands each item of a bounded reading to `take` until it gives false or throws, or the reading is over. Rejects with
 * the driver's error.
 */
export function collect<Item>(
  reading: StreamingRead<Item>,
  turn: Try,
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
    turn.onGivenUp = leave;
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
    // It stays: the driver may tell more errors after the first, and one that nobody hears ends the process.
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
