import { LRUCache } from 'lru-cache';
import { canWrite, type ProjectionName } from '@tillstream/read-models';
import type { Generation } from './generation.js';
import { readGenerations } from './list.control.js';
import { GenerationRows, type RowDatabases } from '../tables/generation.rows.js';

/**
 * How long queries may go on reading a generation that was replaced: a notice of the swap may be late or lost. Until then
 * writers write to it too, so that every process reads its writes.
 */
export const STALE_READS_MS_MAX = 5_000;
const RETIRED_WRITTEN_MS = 2 * STALE_READS_MS_MAX;
/** Each list has a live generation, and one that is being built. */
const OPEN_MAX = 100;

/** The generations that a writer writes to. */
export class OpenGenerations {
  readonly #open = new LRUCache<number, GenerationRows>({ max: OPEN_MAX });

  constructor(readonly databases: RowDatabases) {}

  /**
   * By projection: the live generation, the next one while it is announced, and one that was live a moment ago. Those of a
   * newer program are left to that program.
   */
  async writable(): Promise<(projection: ProjectionName) => readonly Generation[]> {
    const all = await readGenerations(this.databases.unsynced);
    return (projection) =>
      all.filter((known) => known.projection === projection && isWritten(known) && canWrite(known));
  }

  rowsOf(generation: Generation): GenerationRows {
    const open = this.#open.get(generation.generation);
    if (open) return open;
    const rows = new GenerationRows(this.databases, generation);
    this.#open.set(generation.generation, rows);
    return rows;
  }
}

function isWritten({ status, unchangedMs }: Generation): boolean {
  return status === 'Live' || status === 'Next' || (status === 'Retired' && unchangedMs < RETIRED_WRITTEN_MS);
}
