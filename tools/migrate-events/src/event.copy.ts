import type { BrokenLink, ChainVerifier } from '@tillstream/event-store';
import type { LogCursor } from './log.cursor.js';
import { packAppends, type OrderedWriter } from './ordered.writer.js';

export interface CopyOptions {
  /** Stands behind the events that the target has already. */
  readonly source: LogCursor;
  /** Has checked all events before the cursor. */
  readonly chains: ChainVerifier;
  readonly writer: OrderedWriter;
  /** Events to copy at most: another process may still append to the source. */
  readonly limit: number;
  onWritten(events: number): void;
}

/**
 * Copies the source's next events; writes one page while it reads and checks the next. Returns the first event whose chain
 * is broken: all events before it are written, and none after. No write is pending when it settles.
 */
export async function copyEvents(options: CopyOptions): Promise<BrokenLink | undefined> {
  const { source, chains, writer, limit, onWritten } = options;
  let writing: Promise<void> | undefined;
  try {
    for (let left = limit; left > 0;) {
      const page = (await source.ahead()).slice(0, left);
      if (page.length === 0) return undefined;
      let intact = 0;
      let broken: BrokenLink | undefined;
      for (const event of page) {
        broken = chains.check(event);
        if (broken !== undefined) break;
        intact += 1;
      }
      const packed = packAppends(page.slice(0, intact));
      await writing;
      writing = writer.write(packed, onWritten);
      // A rejection is handled where the promise is awaited.
      writing.catch(() => undefined);
      if (broken !== undefined) return broken;
      source.pass(intact);
      left -= intact;
    }
    return undefined;
  } finally {
    await writing;
  }
}
