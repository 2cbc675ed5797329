import { setTimeout } from 'node:timers/promises';
import type { Append, AppendResult, EventStore } from './event-store.js';
import { EventStoreError } from './event-store.errors.js';
import type { NewEvent, RecordedEvent } from './event.js';
import { chainEvents } from './hash-chain.js';

export interface StreamTransaction<T> {
  readonly stream: string;
  /**
   * Called with the whole stream, oldest first, and again after each conflict. Gives the events to append (none:
   * nothing is written) and a value of its own. Their metadata has no `hash` yet: `transact` adds it. What it throws
   * passes through `transact`.
   */
  decide(history: readonly RecordedEvent[]): { readonly events: readonly NewEvent[]; readonly value: T };
  /** The whole stream as the caller already knows it ([] for a stream just named): saves the first read. */
  readonly knownHistory?: readonly RecordedEvent[];
  /** Decide on the stream's last so many events only (1 to 1000), for a stream that grows without end. */
  readonly tailEvents?: number;
  /** Decisions at most; left out: 4 (a request is tried again three times). `Infinity` for facts already received. */
  readonly attempts?: number;
  /** How long an append without a known result is repeated as it is, ms of real time; left out: 2000. Then `Unknown` is thrown. */
  readonly unknownTimeoutMs?: number;
  /** Replaces `store.append`, for a write that rides in the same commit. */
  readonly append?: (append: Append) => Promise<AppendResult>;
}

export type StreamTransactionResult<T> =
  | {
      readonly kind: 'Done';
      readonly value: T;
      /** What was decided on and, after it, the events appended; these all carry the position of the last of them. */
      readonly history: readonly RecordedEvent[];
    }
  /** Others were faster each time; nothing was written. */
  | { readonly kind: 'Conflict' };

const SHORTEST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 200;

/**
 * Load, decide, append under the exact revision decided on, with `metadata.hash` chained to the event before. Decides
 * anew only on a conflict; an append without a known result is repeated as it is until it is definite, since deciding
 * anew could overtake its late commit. Rejects with the store's `Unavailable` (nothing was written), or with `Unknown`
 * when patience ran out: the same events may still turn up, so repeat with the same event ids.
 */
export async function transact<T>(
  store: EventStore,
  transaction: StreamTransaction<T>,
): Promise<StreamTransactionResult<T>> {
  const { stream, decide, attempts = 4, unknownTimeoutMs = 2000 } = transaction;
  const append = transaction.append ?? ((toAppend: Append) => store.append(toAppend));
  let history = transaction.knownHistory ?? (await loadHistory(store, transaction));
  for (let attempt = 1; ; attempt++) {
    const { events, value } = decide.call(transaction, history);
    if (events.length === 0) return { kind: 'Done', value, history };
    const last = history.at(-1);
    const chained = chainEvents(stream, last, events);
    const result = await appendUntilDefinite(
      append,
      { stream, expected: last?.revision ?? 'none', events: chained },
      unknownTimeoutMs,
    );
    if (result.kind === 'Appended') {
      return {
        kind: 'Done',
        value,
        history: history.concat(recordedEvents(stream, last, chained, result.position)),
      };
    }
    if (attempt >= attempts) return { kind: 'Conflict' };
    history = await loadHistory(store, transaction);
  }
}

/** The whole stream in memory from a revision on (left out: its first), oldest first. */
export async function readWholeStream(
  store: EventStore,
  stream: string,
  from = 0,
): Promise<readonly RecordedEvent[]> {
  const first = await store.readStream(stream, { from });
  if (first.end) return first.events;
  const events = [...first.events];
  for (let end = false; !end;) {
    const page = await store.readStream(stream, { from: from + events.length });
    events.push(...page.events);
    end = page.end;
  }
  return events;
}

async function loadHistory(
  store: EventStore,
  { stream, tailEvents }: StreamTransaction<unknown>,
): Promise<readonly RecordedEvent[]> {
  if (tailEvents === undefined) return readWholeStream(store, stream);
  const page = await store.readStream(stream, { direction: 'backwards', limit: tailEvents });
  return page.events.toReversed();
}

async function appendUntilDefinite(
  send: (append: Append) => Promise<AppendResult>,
  append: Append,
  patienceMs: number,
): Promise<AppendResult> {
  const since = performance.now();
  let unknown: EventStoreError | undefined;
  for (let pause = SHORTEST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await send(append);
    } catch (error) {
      if (!(error instanceof EventStoreError)) throw error;
      if (error.code === 'Unknown') unknown = error;
      // Once a try is unknown, a later `Unavailable` speaks for that later try only.
      if (unknown === undefined) throw error;
      if (performance.now() - since + pause > patienceMs) throw unknown;
    }
    await setTimeout(pause);
  }
}

function recordedEvents(
  stream: string,
  last: RecordedEvent | undefined,
  events: readonly NewEvent[],
  position: RecordedEvent['position'],
): RecordedEvent[] {
  const next = last === undefined ? 0 : last.revision + 1;
  return events.map(({ id, type, data, metadata }, index) => ({
    id,
    type,
    data,
    metadata,
    stream,
    revision: next + index,
    position,
  }));
}
