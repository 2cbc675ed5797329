import type { ProjectionName, ReadModelWriter, ReadModelsLog, WrittenStream } from '../read-models.types.js';
import { touchedRows } from './rows.page.js';
import { categoryContributions } from './projection.registry.js';
import type { FlatRow } from './table.shape.js';

export type RowsByProjection = ReadonlyMap<ProjectionName, readonly FlatRow[]>;

/** Puts rows into all tables that are live or announced. Resolves when they are there, or are left to the projector. */
export interface RowSink {
  write(rows: RowsByProjection): Promise<void>;
}

/** Makes the rows on the calling thread, where the state is, and leaves the rest to the adapter. */
export class RowWriteThrough implements ReadModelWriter {
  constructor(
    private readonly sink: RowSink,
    private readonly log: ReadModelsLog,
  ) {}

  async writeThrough(category: string, { stream, state, events }: WrittenStream): Promise<void> {
    try {
      const rows = new Map<ProjectionName, readonly FlatRow[]>();
      for (const [projection, contribution] of categoryContributions(category)) {
        const touched = contribution.touched(stream, events, state);
        const some = touched ? touchedRows({ contribution }, state, touched) : [];
        if (some.length > 0) rows.set(projection, some);
      }
      await this.sink.write(rows);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.failed('row-not-written', { stream, reason });
    }
  }
}
