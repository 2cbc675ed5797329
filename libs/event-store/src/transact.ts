import { setTimeout } from 'node:timers/promises';
import { EventStoreError, type Append, type AppendResult, type EventStore } from './event-store.js';
import type { NewEvent, RecordedEvent } from './event.js';
import { chainEvents } from './hash-chain.js';

export interface StreamTransaction<T> {
  readonly stream: string;
  /**
   * Called with the whole stream, oldest first, and again after each conflict. Returns the events to append (none:
   * nothing is written) and a value for the caller. `transact` adds `hash` to their metadata. `transact` rejects with
   * what `decide` throws.
   */
  decide(history: readonly RecordedEvent[]): { readonly events: readonly NewEvent[]; readonly value: T };
  /** The whole stream, if the caller already has it ([] for a new stream): saves the first read. */
  readonly knownHistory?: readonly RecordedEvent[];
  /** Pass only this many of the last events to `decide` (1 to 1000), for a stream that grows without end. */
  readonly tailEvents?: number;
  /** Most decisions. Left out: 4. `Infinity` for facts: they must be recorded. */
  readonly decisionsMax?: number;
  /** How long an append with an unknown result is repeated, ms. Left out: 2000. Then `transact` rejects with `Unknown`. */
  readonly unknownTimeoutMs?: number;
  /** Replaces `store.append`, for an append that has to be committed together with other rows. */
  readonly append?: (append: Append) => Promise<AppendResult>;
}

export type StreamTransactionResult<T> =
  | {
      readonly kind: 'Done';
      readonly value: T;
      /** The events passed to `decide`, then the appended ones. These all have the position of the last of them. */
      readonly history: readonly RecordedEvent[];
    }
  /** Another writer appended first after each decision. Nothing was written. */
  | { readonly kind: 'Conflict' };

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 200;

/**
 * Loads a stream, decides, and appends under the revision that the decision was made on, with `metadata.hash` chained to
 * the event before. Decides again only after a conflict. An append with an unknown result is repeated unchanged until the
 * result is definite: a new decision could overtake its late commit. Rejects with the store's `Unavailable` (nothing was
 * written), or with `Unknown` after `unknownTimeoutMs`: the events may still appear, so repeat with the same event ids.
 */
export async function transact<T>(
  store: EventStore,
  transaction: StreamTransaction<T>,
): Promise<StreamTransactionResult<T>> {
  const { stream, decide, decisionsMax = 4, unknownTimeoutMs = 2000 } = transaction;
  const append = transaction.append ?? ((events: Append) => store.append(events));
  let history = transaction.knownHistory ?? (await loadHistory(store, transaction));
  for (let decision = 1; ; decision++) {
    const { events, value } = decide.call(transaction, history);
    if (events.length === 0) return { kind: 'Done', value, history };
    const last = history.at(-1);
    const chained = chainEvents(stream, last, events);
    const toAppend: Append = { stream, expected: last?.revision ?? 'none', events: chained };
    const result = await appendUntilDefinite(append, toAppend, unknownTimeoutMs);
    if (result.kind === 'Appended') {
      const { position } = result;
      const first = (last?.revision ?? -1) + 1;
      const appended = chained.map((event, at) => ({ ...event, stream, revision: first + at, position }));
      return { kind: 'Done', value, history: history.concat(appended) };
    }
    if (decision >= decisionsMax) return { kind: 'Conflict' };
    history = await loadNext(store, transaction, history);
  }
}

/** All events of a stream from a revision on, oldest first. */
export async function readWholeStream(
  store: EventStore,
  stream: string,
  from = 0,
): Promise<readonly RecordedEvent[]> {
  let page = await store.readStream(stream, { from });
  if (page.end) return page.events;
  const events = [...page.events];
  while (!page.end) {
    page = await store.readStream(stream, { from: from + events.length });
    events.push(...page.events);
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

/** The history after a conflict. The events that are known already are not read again. */
async function loadNext(
  store: EventStore,
  transaction: StreamTransaction<unknown>,
  known: readonly RecordedEvent[],
): Promise<readonly RecordedEvent[]> {
  if (transaction.tailEvents !== undefined) return loadHistory(store, transaction);
  return known.concat(await readWholeStream(store, transaction.stream, known.length));
}

async function appendUntilDefinite(
  send: (append: Append) => Promise<AppendResult>,
  append: Append,
  timeoutMs: number,
): Promise<AppendResult> {
  const startedAt = performance.now();
  let unknown: EventStoreError | undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await send(append);
    } catch (error) {
      if (!(error instanceof EventStoreError)) throw error;
      if (error.code === 'Unknown') unknown = error;
      // After an `Unknown`, a later `Unavailable` says nothing about the earlier attempt.
      if (unknown === undefined) throw error;
      if (performance.now() - startedAt + pauseMs > timeoutMs) throw unknown;
    }
    await setTimeout(pauseMs);
  }
}
