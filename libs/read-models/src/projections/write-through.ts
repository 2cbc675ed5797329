import type { ProjectionName, ReadModelWriter, ReadModelsLog, WrittenStream } from '../read-models.types.js';
import { categoryContributions } from './projection.registry.js';
import { touchedRows } from './row.projection.js';
import type { TableRow } from './table.shape.js';

export type RowsByProjection = ReadonlyMap<ProjectionName, readonly TableRow[]>;

/** Writes rows into all live and announced generations. Resolves when they are written, or left to the projector. */
export interface RowSink {
  write(rows: RowsByProjection): Promise<void>;
}

/** Makes the rows on the calling thread, which has the state. The adapter's sink writes them. */
export class RowWriteThrough implements ReadModelWriter {
  constructor(
    private readonly sink: RowSink,
    private readonly log: ReadModelsLog,
  ) {}

  async writeThrough(category: string, written: WrittenStream): Promise<void> {
    try {
      const rowsByProjection = new Map<ProjectionName, readonly TableRow[]>();
      for (const [projection, contribution] of categoryContributions(category)) {
        const rows = touchedRows(contribution, written);
        if (rows.length > 0) rowsByProjection.set(projection, rows);
      }
      await this.sink.write(rowsByProjection);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.failed('row-not-written', { stream: written.stream, reason });
    }
  }
}
