import type { SqliteEventStore } from '@tillstream/event-store-sqlite';
import { openBareDatabase } from '@tillstream/event-store-sqlite/testing';

/** A row of the file, ready to be inserted again. */
export interface BareRow {
  readonly stream: string;
  readonly revision: number;
  readonly id: Uint8Array;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

/** The rows of one append. */
export type BareCommand = readonly BareRow[];

const ROWS =
  'SELECT stream, revision, id, type, data, metadata FROM events WHERE position > ? ORDER BY position';
const INSERT = 'INSERT INTO events (stream, revision, id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?)';

/** Returns the rows after a position by append; here each append has two. */
export function commandsAfter(store: SqliteEventStore, position: number): readonly BareCommand[] {
  const rows = store.query<BareRow>(ROWS, [position]);
  const commands: BareCommand[] = [];
  for (let at = 0; at < rows.length; at += 2) {
    const command = rows.slice(at, at + 2);
    if (command[0]?.stream !== command[1]?.stream) throw new Error('an append has not the two rows it had');
    commands.push(command);
  }
  return commands;
}

/** The least work of a program without an event store: inserts and COMMIT on a connection of the driver. */
export class BareWriter {
  readonly #db: ReturnType<typeof openBareDatabase>;
  readonly #insert: (row: BareRow) => void;
  readonly #begin: () => void;
  readonly #commit: () => void;

  constructor(file: string) {
    this.#db = openBareDatabase(file);
    const insert = this.#db.prepare(INSERT);
    const begin = this.#db.prepare('BEGIN IMMEDIATE');
    const commit = this.#db.prepare('COMMIT');
    this.#insert = ({ stream, revision, id, type, data, metadata }) =>
      void insert.run(stream, revision, id, type, data, metadata);
    this.#begin = () => void begin.run();
    this.#commit = () => void commit.run();
  }

  /** Writes transactions of these sizes, each with an fsync. Returns commands per second. */
  rate(commands: readonly BareCommand[], sizes: Iterable<number>): number {
    const startedAt = performance.now();
    let next = 0;
    for (const size of sizes) {
      if (next >= commands.length) break;
      this.#begin();
      for (const end = Math.min(next + size, commands.length); next < end; next++) {
        for (const row of commands[next] ?? []) this.#insert(row);
      }
      this.#commit();
    }
    return (next * 1000) / (performance.now() - startedAt);
  }

  close(): void {
    this.#db.close();
  }
}
