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
import { CallFailed } from '../connection/error.mapping.js';
import type { LeaderConnection } from '../connection/leader.connection.js';
import { readStreamPage } from '../read/stream-page.read.js';
import { formatPosition } from '../read/log.event.js';

/** An append under 'any' is looked up among this many of the last events. */
const SEARCHED_EVENTS_MAX = 1000;
const RACES_MAX = 50;

type Appended = Extract<AppendResult, { kind: 'Appended' }>;

/** Appends within `deadlineMs`. Rejects with `CallFailed`, or with `Invalid` or `TooLarge` before anything is sent. */
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
  constructor(
    private readonly connection: LeaderConnection,
    private readonly end: number,
    private readonly append: SerialisedAppend,
  ) {}

  run(): Promise<AppendResult> {
    const { expected } = this.append;
    return expected === 'any' ? this.#appendToEnd() : this.#appendAfter(expected);
  }

  /** Always sends an exact revision: only then does the server recognise a repeated append at any later time. */
  async #appendAfter(expected: number | 'none'): Promise<AppendResult> {
    try {
      return await this.connection.call(this.#remainingMs(), 'append', async (attempt) => {
        const sent = attempt.client.appends.send(this.append, expected, attempt.remainingMs());
        attempt.onCancel = sent.discard;
        attempt.isSent = sent.isSent;
        const { revision, position } = await sent.written;
        return { kind: 'Appended', revision, position: formatPosition(position) };
      });
    } catch (error) {
      if (!(error instanceof CallFailed) || error.fault.kind !== 'Conflict') throw error;
      return (await this.#earlierAppend(expected, error.fault.actual)) ?? error.fault;
    }
  }

  /**
   * The server answers a repeated append with its first result. If it answered with a conflict instead, a new decision would
   * write twice. So the ids at these revisions are compared.
   */
  async #earlierAppend(expected: number | 'none', actual: number | 'none'): Promise<Appended | undefined> {
    const from = expected === 'none' ? 0 : expected + 1;
    const wanted = this.append.events;
    if (actual === 'none' || actual < from + wanted.length - 1) return undefined;
    const events: RecordedEvent[] = [];
    while (events.length < wanted.length) {
      const limit = Math.min(wanted.length - events.length, SEARCHED_EVENTS_MAX);
      const page = await this.#read({ from: from + events.length, limit });
      if (page.length === 0 || !hasSameIds(page, wanted.slice(events.length))) return undefined;
      events.push(...page);
    }
    return appendedResult(events);
  }

  /**
   * Under its own 'any', the server forgets after some time and at a restart which ids it has written, and writes them
   * again. So this looks for them at the end of the stream, and appends under the revision found there. An earlier attempt
   * that arrives late then conflicts, or is the same append.
   */
  async #appendToEnd(): Promise<AppendResult> {
    const { stream, events } = this.append;
    for (let race = 0; race < RACES_MAX && this.#remainingMs() > 1; race++) {
      const newestFirst = await this.#read({ direction: 'backwards', limit: SEARCHED_EVENTS_MAX });
      const actual = newestFirst[0]?.revision ?? 'none';
      const first = newestFirst.findIndex(({ id }) => id === events[0]?.id);
      if (first >= 0) {
        const found = newestFirst.slice(Math.max(0, first + 1 - events.length), first + 1).reverse();
        const isWhole = found.length === events.length && hasSameIds(found, events);
        return (isWhole ? appendedResult(found) : undefined) ?? { kind: 'Conflict', actual };
      }
      const result = await this.#appendAfter(actual);
      if (result.kind === 'Appended') return result;
    }
    throw new EventStoreError(
      'Unavailable',
      `other writers kept appending to ${stream}: nothing was written`,
    );
  }

  /** A failed read leaves nothing unknown: every append that was sent before it has an answer. */
  async #read(options: ReadStreamOptions): Promise<readonly RecordedEvent[]> {
    try {
      const { stream } = this.append;
      return (await readStreamPage(this.connection, this.#remainingMs(), stream, options)).events;
    } catch (error) {
      if (!(error instanceof CallFailed) || error.fault.kind !== 'Lost') throw error;
      throw new CallFailed({ kind: 'NotServed', reason: error.fault.reason });
    }
  }

  #remainingMs(): number {
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

/** The server reserves such names, and no reader of the whole store receives these events. */
function rejectSystemNames({ stream, events }: SerialisedAppend): void {
  if ([stream, ...events.map(({ type }) => type)].some((name) => name.startsWith('$'))) {
    throw new EventStoreError(
      'Invalid',
      'a stream name or event type that begins with $ belongs to EventStoreDB',
    );
  }
}
