import {
  EventStoreError,
  serialiseAppend,
  type Append,
  type AppendResult,
  type ReadStreamOptions,
  type RecordedEvent,
  type SerialisedAppend,
  type SerialisedEvent,
} from '@tillstream/event-store';
import { CallFailed } from '../connection/call.deadline.js';
import type { LeaderConnection } from '../connection/leader.connection.js';
import { readStreamPage } from '../read/stream-page.read.js';
import { formatPosition } from '../read/log.position.js';

/** Where an append under 'any' is looked for. */
const SEARCHED_EVENTS_MAX = 1000;
const RACES_MAX = 50;

type Appended = Extract<AppendResult, { kind: 'Appended' }>;

/**
 * One append, for at most so many ms. Rejects with `CallFailed`, or with `Invalid` and `TooLarge` for an append that
 * can't be written.
 */
export async function append(
  connection: LeaderConnection,
  deadlineMs: number,
  wanted: Append,
): Promise<AppendResult> {
  const serialised = serialiseAppend(wanted);
  rejectSystemNames(serialised);
  return new AppendCall(connection, performance.now() + deadlineMs, serialised).run();
}

class AppendCall {
  readonly #stream: string;
  readonly #events: readonly SerialisedEvent[];

  constructor(
    private readonly connection: LeaderConnection,
    private readonly end: number,
    private readonly append: SerialisedAppend,
  ) {
    this.#stream = append.stream;
    this.#events = append.events;
  }

  run(): Promise<AppendResult> {
    const { expected } = this.append;
    return expected === 'any' ? this.#afterAny() : this.#after(expected);
  }

  /** The server gets an exact revision always: only then does it know a repeated append for ever. */
  async #after(expected: number | 'none'): Promise<AppendResult> {
    try {
      return await this.connection.call(this.#left(), 'append', async (turn) => {
        const sent = turn.client.appends.send(this.append, expected, turn.remainingMs());
        turn.onCancel = sent.discard;
        turn.isSent = sent.isSent;
        const { revision, position } = await sent.written;
        return { kind: 'Appended', revision, position: formatPosition(position) };
      });
    } catch (error) {
      if (!(error instanceof CallFailed) || error.fault.kind !== 'Conflict') throw error;
      return (await this.#writtenBefore(expected, error.fault.actual)) ?? error.fault;
    }
  }

  /**
   * A server answers a repeated append with its first result. Should one ever answer with a conflict instead, deciding
   * anew would write twice: the ids in that place tell whose events they are.
   */
  async #writtenBefore(expected: number | 'none', actual: number | 'none'): Promise<Appended | undefined> {
    const from = expected === 'none' ? 0 : expected + 1;
    const count = this.#events.length;
    if (actual === 'none' || actual < from + count - 1) return undefined;
    const events: RecordedEvent[] = [];
    while (events.length < count) {
      const page = await this.#read({
        from: from + events.length,
        limit: Math.min(count - events.length, SEARCHED_EVENTS_MAX),
      });
      if (page.length === 0 || !hasSameIds(page, this.#events.slice(events.length))) return undefined;
      events.push(...page);
    }
    return appendedResult(events);
  }

  /**
   * The server's own 'any' forgets which ids it has written, with time and at a restart, and writes them again. So: look
   * for them at the end of the stream, and append under the revision seen there. A try that turns up late conflicts
   * then, or is the same append.
   */
  async #afterAny(): Promise<AppendResult> {
    for (let race = 0; race < RACES_MAX && this.#left() > 1; race++) {
      const newestFirst = await this.#read({ direction: 'backwards', limit: SEARCHED_EVENTS_MAX });
      const actual = newestFirst[0]?.revision ?? 'none';
      const first = newestFirst.findIndex(({ id }) => id === this.#events[0]?.id);
      if (first >= 0) {
        const found = newestFirst
          .slice(0, first + 1)
          .reverse()
          .slice(0, this.#events.length);
        const whole = found.length === this.#events.length && hasSameIds(found, this.#events);
        return (whole ? appendedResult(found) : undefined) ?? { kind: 'Conflict', actual };
      }
      const result = await this.#after(actual);
      if (result.kind === 'Appended') return result;
    }
    throw new EventStoreError('Unavailable', `others kept appending to ${this.#stream}: nothing was written`);
  }

  /** A read that fails leaves nothing unknown: whatever was sent before it has its answer. */
  async #read(options: ReadStreamOptions): Promise<readonly RecordedEvent[]> {
    try {
      return (await readStreamPage(this.connection, this.#left(), this.#stream, options)).events;
    } catch (error) {
      if (!(error instanceof CallFailed) || error.fault.kind !== 'Lost') throw error;
      throw new CallFailed({ kind: 'NotServed', reason: error.fault.reason });
    }
  }

  #left(): number {
    return Math.max(1, this.end - performance.now());
  }
}

function hasSameIds(recorded: readonly RecordedEvent[], events: readonly SerialisedEvent[]): boolean {
  return recorded.every(({ id }, index) => id === events[index]?.id);
}

function appendedResult(events: readonly RecordedEvent[]): Appended | undefined {
  const last = events.at(-1);
  return last && { kind: 'Appended', revision: last.revision, position: last.position };
}

/** The server keeps such names for itself, and readers of all never see them. */
function rejectSystemNames({ stream, events }: SerialisedAppend): void {
  if (stream.startsWith('$') || events.some(({ type }) => type.startsWith('$'))) {
    throw new EventStoreError(
      'Invalid',
      'a stream name or event type that begins with $ belongs to EventStoreDB',
    );
  }
}
