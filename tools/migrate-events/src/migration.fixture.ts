import {
  newEventId,
  transact,
  type EventStore,
  type JsonObject,
  type RecordedEvent,
} from '@tillstream/event-store';
import { FaultyEventStore, readAllPages } from '@tillstream/event-store-testing';
import { migrateCommand } from './migrate.command.js';

export const SOURCE = 'esdb://source:2113';
export const TARGET = 'esdb://target:2113';

/** A store that the command can't close, so that the next run and the test can read it. */
export class ReusableStore extends FaultyEventStore {
  override async close(): Promise<void> {}
}

/** Writes one append with chained hashes. */
export async function write(store: EventStore, stream: string, ...contents: JsonObject[]): Promise<void> {
  await transact(store, {
    stream,
    decide: () => ({
      events: contents.map((data) => ({
        id: newEventId(),
        type: 'Counted',
        data,
        metadata: { actor: 'me' },
      })),
      value: undefined,
    }),
  });
}

/** Writes one event to each of these streams, in this order. */
export async function writeInTurn(store: EventStore, streams: readonly string[]): Promise<void> {
  for (const [number, stream] of streams.entries()) await write(store, `test-${stream}`, { number });
}

/** Returns what a copy keeps of all events, in the order of the store. */
export async function contentOf(store: EventStore): Promise<Omit<RecordedEvent, 'position'>[]> {
  const events = await readAllPages(store);
  return events.map(({ stream, revision, id, type, data, metadata }) => {
    return { stream, revision, id, type, data, metadata };
  });
}

export interface Run {
  readonly code: number;
  readonly lines: readonly string[];
  readonly errors: readonly string[];
}

export interface RunOptions {
  readonly more?: readonly string[];
  readonly signal?: AbortSignal;
  readonly retryForMs?: number;
}

/** Runs the command with these stores. */
export async function migrate(
  source: EventStore,
  target: EventStore,
  options: RunOptions = {},
): Promise<Run> {
  const { more = [], signal = new AbortController().signal, retryForMs = 0 } = options;
  const lines: string[] = [];
  const errors: string[] = [];
  const terminal = {
    line: (text: string) => void lines.push(text),
    error: (text: string) => void errors.push(text),
  };
  const open = async (address: string) => (address === SOURCE ? source : target);
  const args = ['--from', SOURCE, '--to', TARGET, ...more];
  return { code: await migrateCommand(args, { open, terminal, signal, retryForMs }), lines, errors };
}
