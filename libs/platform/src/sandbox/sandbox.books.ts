import { join } from 'node:path';
import { readMovements, type BookedMovement } from '@tillstream/sandbox';
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
