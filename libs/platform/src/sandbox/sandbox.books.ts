import { join } from 'node:path';
import {
  dailyLines,
  readDailyRows,
  readMovements,
  type BookedMovement,
  type DailyLine,
  type DailyRange,
} from '@tillstream/sandbox';
import type { Config } from '../configuration/config.js';
import { embeddedSandboxNames, ledgerFileName } from '../data-directory/sandbox-ledger.files.js';

/** The books of a simulated processor, which the service never reads (docs/adr/0012). */
export interface ProcessorBooks {
  readonly processor: string;
  /** Every movement of money, ordered by key. Undefined if its file is missing. */
  movements(): Iterable<BookedMovement> | undefined;
}

/**
 * The books of the sandboxes in this process, for commands that compare them with the events. They are read from their files;
 * nothing is written or executed. A sandbox that is a process of its own, and a real processor, are not among them.
 */
export function sandboxBooks(
  config: Pick<Config, 'dataDir' | 'sandbox' | 'moreSandboxes'>,
): readonly ProcessorBooks[] {
  return embeddedSandboxNames(config).map((processor) => ({
    processor,
    movements: () => readMovements(join(config.dataDir, ledgerFileName(processor))),
  }));
}

/**
 * The daily file of a sandbox in this process, line by line, for a command. A sandbox that is a process of its own gives its
 * file itself. Undefined if there is no such sandbox, or it has no file yet.
 */
export function sandboxDailyLines(
  config: Pick<Config, 'dataDir' | 'sandbox' | 'moreSandboxes'>,
  processor: string,
  range: DailyRange,
): Iterable<DailyLine> | undefined {
  if (!embeddedSandboxNames(config).includes(processor)) return undefined;
  const rows = readDailyRows(join(config.dataDir, ledgerFileName(processor)), range);
  return rows && dailyLines(range, rows);
}
