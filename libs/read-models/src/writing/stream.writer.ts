import type { ProjectionName, ReadModelWriter, ReadModelsLog, WrittenStream } from '../read-models.types.js';
import { contributionsOf } from '../projections/registry.js';
import { rowsFor } from '../projecting/page.projection.js';
import type { FlatRow } from '../tables/table.shape.js';
import type { RowWriterThread } from './row.writer.thread.js';

/** Makes the rows on the calling thread, where the state is, and leaves the rest to the writer's. */
export class StreamWriter implements ReadModelWriter {
  constructor(
    private readonly thread: Pick<RowWriterThread, 'write'>,
    private readonly log: ReadModelsLog,
  ) {}

  async writeThrough(category: string, { stream, state, events }: WrittenStream): Promise<void> {
    try {
      const rows = new Map<ProjectionName, readonly FlatRow[]>();
      for (const [projection, contribution] of contributionsOf(category)) {
        const touched = contribution.touched(stream, events, state);
        const some = touched ? rowsFor({ contribution }, state, touched) : [];
        if (some.length > 0) rows.set(projection, some);
      }
      await this.thread.write(rows);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.failed('row-not-written', { stream, reason });
    }
  }
}
