import { openSqliteEventStore } from '@tillstream/event-store-sqlite';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { verifyChains } from './verify-chains.js';

/** 0: every chain is intact. 1: an event is broken. 2: it could not be checked. */
export type ExitCode = 0 | 1 | 2;

export interface Terminal {
  line(text: string): void;
  error(text: string): void;
  /** Replaces the last progress; absent where nobody watches. */
  progress?(text: string): void;
}

export const HELP = `Checks the hash chain of every stream: whether each event is as it was written, in its place, with none missing.

Usage: verify [data folder or events.db]

Left out: the folder in DATA_DIR, or .data. The service may run meanwhile; nothing is written.
Exit code 0: all intact. 1: the first broken event is named. 2: it could not be checked.`;

/** The whole command but for the process around it. */
export async function verifyCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  terminal: Terminal,
): Promise<ExitCode> {
  if (args.includes('--help') || args.includes('-h')) {
    terminal.line(HELP);
    return 0;
  }
  const [path, more] = args;
  if (more !== undefined || path?.startsWith('-') === true) {
    terminal.error(`verify takes one path.\n\n${HELP}`);
    return 2;
  }
  try {
    return await verifyFile(eventsFile(path ?? environment['DATA_DIR'] ?? '.data'), terminal);
  } catch (error) {
    terminal.error(`Not checked: ${error instanceof Error ? error.message : String(error)}`);
    return 2;
  }
}

async function verifyFile(file: string, terminal: Terminal): Promise<ExitCode> {
  const store = await openSqliteEventStore({ file, readOnly: true });
  try {
    const { events, streams, broken } = await verifyChains(store, (count) =>
      terminal.progress?.(`${count} events`),
    );
    terminal.progress?.('');
    if (broken === undefined) {
      terminal.line(`${file}: ${events} events in ${streams} streams, every chain intact`);
      return 0;
    }
    terminal.error(
      `${file}: BROKEN at stream ${broken.stream}, revision ${broken.revision}, event ${broken.id}: ${broken.problem}. ` +
        `The ${events} events before it (${streams} streams) are intact.`,
    );
    return 1;
  } finally {
    await store.close();
  }
}

function eventsFile(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, 'events.db') : path;
}
