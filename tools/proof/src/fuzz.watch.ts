import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import type { ServiceProcess } from './service.process.js';
import type { Site } from './site.js';

/** How many rows each table of the event store's file has, and where its log ends. */
export type Written = Readonly<Record<string, number>>;

const QUIET_POLLS = 4;
const POLL_MS = 250;

/** Looks into the file beside the service, without a way to write to it. */
export class FuzzWatch {
  private constructor(private readonly file: SqliteEventStore) {}

  static async open({ dataDir }: Site): Promise<FuzzWatch> {
    return new FuzzWatch(await openSqliteEventStore({ file: join(dataDir, 'events.db'), readOnly: true }));
  }

  close(): Promise<void> {
    return this.file.close();
  }

  written(): Written {
    const tables = this.file.query<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    );
    const [head] = this.file.query<{ position: number | null }>(
      'SELECT max(position) AS position FROM events',
    );
    const rows = tables.map(({ name }) => {
      const [counted] = this.file.query<{ rows: number }>(`SELECT count(*) AS rows FROM "${name}"`);
      return [name, counted?.rows ?? 0] as const;
    });
    return { 'the head of the log': head?.position ?? 0, ...Object.fromEntries(rows) };
  }

  /** Once what was begun before has ended: nothing changes for a moment. */
  async whenQuiet(withinMs: number): Promise<Written> {
    const until = performance.now() + withinMs;
    let before = this.written();
    for (let quiet = 0; quiet < QUIET_POLLS && performance.now() < until;) {
      await setTimeout(POLL_MS);
      const now = this.written();
      quiet = changes(before, now).length === 0 ? quiet + 1 : 0;
      before = now;
    }
    return before;
  }

  /** What was appended after a position, to be shown: no data, which may be somebody's. */
  eventsAfter(position: number): readonly string[] {
    return this.file
      .query<{ type: string; stream: string }>(
        'SELECT type, stream FROM events WHERE position > ? LIMIT 10',
        [position],
      )
      .map(({ type, stream }) => `${type} of ${stream}`);
  }
}

export function changes(before: Written, after: Written): readonly string[] {
  return Object.keys({ ...before, ...after })
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name} from ${before[name] ?? 0} to ${after[name] ?? 0}`);
}

/** What the process holds, as the system says; the heap, as its own metrics say. */
export interface Held {
  readonly rss: number;
  /** NaN where the metrics say nothing of it. */
  readonly heap: number;
  /** Open files and sockets. */
  readonly fds: number;
}

const BETWEEN_LOOKS_MS = 300;
const CALM_REQUESTS = 60;
/** Refused as no JSON. Garbage is taken away only where room is asked for. */
const GARBAGE = 'x'.repeat(95_000);
const HEAP = /^nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\S+)$/m;

/** The least of several looks, with harmless traffic between them. */
export async function heldBy({ origin, pid = 0 }: ServiceProcess, looks: number): Promise<Held> {
  const seen: Held[] = [];
  for (let look = 0; look < looks; look++) {
    for (let count = 0; count < CALM_REQUESTS; count++) await (await throwAway(origin)).arrayBuffer();
    await setTimeout(BETWEEN_LOOKS_MS);
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    const pages = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    seen.push({
      rss: Number(pages) * 1_024,
      heap: Number(HEAP.exec(metrics)?.[1] ?? NaN),
      fds: readdirSync(`/proc/${pid}/fd`).length,
    });
  }
  const least = (of: (held: Held) => number): number => Math.min(...seen.map(of));
  return { rss: least(({ rss }) => rss), heap: least(({ heap }) => heap), fds: least(({ fds }) => fds) };
}

function throwAway(origin: string): Promise<Response> {
  return fetch(`${origin}/v1/transactions/physical-sale`, { method: 'POST', body: GARBAGE });
}
