import type {
  ReadModelWriter,
  ReadModelsLog,
  StreamCategory,
  StreamStates,
  WrittenStream,
} from '../read-models.types.js';
import { contributionsOf } from '../rows/row.sources.js';
import { rowsFor } from '../projecting/page.projection.js';
import type { RowWriterThread } from './row.writer.thread.js';

/** Makes the rows on the calling thread, where the state is, and leaves the rest to the writer's. */
export class StreamWriter implements ReadModelWriter {
  constructor(
    private readonly thread: Pick<RowWriterThread, 'write'>,
    private readonly log: ReadModelsLog,
  ) {}

  async writeThrough<Category extends StreamCategory>(
    category: Category,
    { stream, state, events }: WrittenStream<StreamStates[Category]>,
  ): Promise<void> {
    try {
      const rows = contributionsOf(category).map(([projection, contribution]) => {
        const touched = contribution.touched(stream, events, state) ?? new Map<string, number>();
        return [projection, rowsFor({ contribution }, state, touched)] as const;
      });
      await this.thread.write(new Map(rows.filter(([, some]) => some.length > 0)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.failed('row-not-written', { stream, reason });
    }
  }
}
