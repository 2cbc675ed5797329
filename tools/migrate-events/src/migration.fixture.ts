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

/** A store that a run of the command does not end: the next run, and the test, look at it again. */
export class StoreThatStays extends FaultyEventStore {
  override async close(): Promise<void> {}
}

/** One append, its hashes chained. */
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

/** `['a', 'b', 'a']`: an event each, in this order. */
export async function writeInTurn(store: EventStore, streams: readonly string[]): Promise<void> {
  for (const [number, stream] of streams.entries()) await write(store, `test-${stream}`, { number });
}

/** All that a copy keeps, in the order of the store. */
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
  readonly patienceMs?: number;
}

/** The command, as it would be typed. */
export async function migrate(
  source: EventStore,
  target: EventStore,
  options: RunOptions = {},
): Promise<Run> {
  const { more = [], signal = new AbortController().signal, patienceMs = 0 } = options;
  const lines: string[] = [];
  const errors: string[] = [];
  const terminal = {
    line: (text: string) => void lines.push(text),
    error: (text: string) => void errors.push(text),
  };
  const open = async (address: string) => (address === SOURCE ? source : target);
  const args = ['--from', SOURCE, '--to', TARGET, ...more];
  return { code: await migrateCommand(args, { open, terminal, signal, patienceMs }), lines, errors };
}
