import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openSqliteEventStore, type SqliteEventStore } from '@tillstream/event-store-sqlite';
import type { ServiceProcess } from '../processes/service.process.js';
import type { Deployment } from '../support/deployment.js';

/** The rows of each table in the event store's file, and its last position. */
export type TableCounts = Readonly<Record<string, number>>;

const QUIET_POLLS = 4;
const POLL_MS = 250;

/** Reads the event store's file beside the service. */
export class ServiceWatch {
  private constructor(private readonly file: SqliteEventStore) {}

  static async open({ dataDir }: Deployment): Promise<ServiceWatch> {
    return new ServiceWatch(await openSqliteEventStore({ file: join(dataDir, 'events.db'), readOnly: true }));
  }

  close(): Promise<void> {
    return this.file.close();
  }

  written(): TableCounts {
    const tables = this.file.query<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    );
    const [head] = this.file.query<{ position: number }>('SELECT max(position) AS position FROM events');
    const rows = tables.map(({ name }) => {
      const [counted] = this.file.query<{ rows: number }>(`SELECT count(*) AS rows FROM "${name}"`);
      return [name, counted?.rows ?? 0];
    });
    return { 'the head of the log': head?.position ?? 0, ...Object.fromEntries(rows) };
  }

  /** Waits until the file does not change for a moment. */
  async whenQuiet(timeoutMs: number): Promise<TableCounts> {
    const until = performance.now() + timeoutMs;
    let before = this.written();
    for (let quiet = 0; quiet < QUIET_POLLS && performance.now() < until;) {
      await setTimeout(POLL_MS);
      const now = this.written();
      quiet = changes(before, now).length === 0 ? quiet + 1 : 0;
      before = now;
    }
    return before;
  }

  /** Events after a position as text, without their data. */
  eventsAfter(position: number): readonly string[] {
    const query = "SELECT type || ' of ' || stream AS event FROM events WHERE position > ? LIMIT 10";
    return this.file.query<{ event: string }>(query, [position]).map(({ event }) => event);
  }
}

export function changes(before: TableCounts, after: TableCounts): readonly string[] {
  return Object.keys({ ...before, ...after })
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name} from ${before[name] ?? 0} to ${after[name] ?? 0}`);
}

/** Memory and files of the process: from the system, the heap from its metrics. */
export interface ProcessResources {
  readonly rss: number;
  /** NaN if the metrics do not have it. */
  readonly heap: number;
  /** Open files and sockets. */
  readonly fds: number;
}

const SALE = '/v1/transactions/physical-sale';
const BETWEEN_LOOKS_MS = 300;
const CALM_REQUESTS = 60;
/** Refused as no JSON. It allocates memory, which lets the collector run. */
const GARBAGE = 'x'.repeat(95_000);
const HEAP = /^nodejs_heap_size_used_bytes(?:\{[^}]*\})? (\S+)$/m;

/** The least of several samples, with harmless traffic between them. */
export async function measureResources(
  { origin, pid = 0 }: ServiceProcess,
  samples: number,
): Promise<ProcessResources> {
  const seen: ProcessResources[] = [];
  for (let sample = 0; sample < samples; sample++) {
    for (let count = 0; count < CALM_REQUESTS; count++) {
      const refused = await fetch(`${origin}${SALE}`, { method: 'POST', body: GARBAGE });
      await refused.arrayBuffer();
    }
    await setTimeout(BETWEEN_LOOKS_MS);
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    const pages = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    seen.push({
      rss: Number(pages) * 1_024,
      heap: Number(HEAP.exec(metrics)?.[1] ?? NaN),
      fds: readdirSync(`/proc/${pid}/fd`).length,
    });
  }
  return leastOf(seen);
}

export function leastOf(samples: readonly ProcessResources[]): ProcessResources {
  const least = (of: keyof ProcessResources): number => Math.min(...samples.map((one) => one[of]));
  return { rss: least('rss'), heap: least('heap'), fds: least('fds') };
}
