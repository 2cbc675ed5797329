import type { BrokenLink, ChainVerifier } from '@tillstream/event-store';
import { packAppends } from './append.packing.js';
import type { LogCursor } from './log.cursor.js';
import type { OrderedWriter } from './ordered.writer.js';

export interface Copying {
  /** Stands after what the target holds already. */
  readonly source: LogCursor;
  /** Has seen all before it. */
  readonly chains: ChainVerifier;
  readonly writer: OrderedWriter;
  /** Events at most: a source that is still written to has no end. */
  readonly most: number;
  wrote(events: number): void;
}

/**
 * Copies the source's next events, a page being written while the next is read and checked. Gives the first event whose
 * chain is broken: it and all after it stay behind, all before it is written. However it ends, no write is on its way.
 */
export async function copyEvents(copying: Copying): Promise<BrokenLink | undefined> {
  const { source, chains, writer, most, wrote } = copying;
  let writing: Promise<void> | undefined;
  try {
    for (let left = most; left > 0;) {
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
      writing = writer.write(packed, wrote);
      // Its failure is told where it is awaited.
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
