import type { EventStore } from '@tillstream/event-store';
import { Progress, type Terminal } from '@tillstream/platform';
import { HELP, readArguments, type MigrateArguments } from './migrate.arguments.js';
import { Migration } from './migration.js';
import { reportOf, type Report } from './outcome.report.js';
import { withoutCredentials } from './store.address.js';

export interface MigrateWorld {
  /** Rejects with one sentence where nothing can be opened. */
  open(address: string, options: { readonly readOnly: boolean }): Promise<EventStore>;
  readonly terminal: Terminal;
  /** Aborted with the name of the signal that came. */
  readonly signal: AbortSignal;
  /** How long a store that does not answer is waited for, ms. Left out: a minute. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 60_000;

/** The whole command but for the process around it. Gives the exit code. */
export async function migrateCommand(args: readonly string[], world: MigrateWorld): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    world.terminal.line(HELP);
    return 0;
  }
  const terminal = discreet(world.terminal, args);
  const asked = readArguments(args);
  if (typeof asked === 'string') {
    terminal.error(asked);
    return 2;
  }
  const { code, answer, complaint } = await migrate(asked, { ...world, terminal });
  if (answer !== undefined) terminal.line(answer);
  if (complaint !== undefined) terminal.error(complaint);
  return code;
}

async function migrate(args: MigrateArguments, world: MigrateWorld): Promise<Report> {
  const { verifyOnly } = args;
  const { terminal, signal, patienceMs = PATIENCE_MS } = world;
  const open: EventStore[] = [];
  try {
    for (const [name, readOnly] of [
      ['from', true],
      ['to', verifyOnly],
    ] as const) {
      try {
        open.push(await world.open(args[name], { readOnly }));
      } catch (error) {
        return { code: 2, complaint: `--${name} can not be opened: ${messageOf(error)}` };
      }
    }
    const [source, target] = open;
    if (source === undefined || target === undefined) throw new Error('two stores were to be opened');
    const place = {
      note: (text: string) => terminal.error(text),
      ...(terminal.progress !== undefined && { replace: (text: string) => terminal.progress?.(text) }),
    };
    const progress = new Progress(place, 'events');
    const outcome = await new Migration(source, target, { verifyOnly, patienceMs, signal, progress }).run();
    return reportOf(outcome, args, signal.reason);
  } finally {
    await Promise.allSettled(open.map((store) => store.close()));
  }
}

/** Whatever is said, by whomever: no user and password of an address is in it. */
function discreet(terminal: Terminal, args: readonly string[]): Terminal {
  const clean = (text: string): string => withoutCredentials(text, args);
  return {
    line: (text) => terminal.line(clean(text)),
    error: (text) => terminal.error(clean(text)),
    ...(terminal.progress !== undefined && { progress: (text: string) => terminal.progress?.(clean(text)) }),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
