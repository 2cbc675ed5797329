import type { EventStore } from '@tillstream/event-store';
import { action, ProgressBar, runProgram, type Terminal } from '@tillstream/platform/command-line';
import { migrateProgram, type MigrateArguments } from './migrate.program.js';
import { Migration } from './migration.js';
import { outcomeReport, type Report } from './outcome.report.js';
import { withoutCredentials } from './store.address.js';

export interface MigrateEnvironment {
  /** Rejects with one sentence if the store can't be opened. */
  open(address: string, options: { readonly readOnly: boolean }): Promise<EventStore>;
  readonly terminal: Terminal;
  /** Aborted with the name of the signal. */
  readonly signal: AbortSignal;
  /** Calls to a store that does not answer are repeated so long, ms. Left out: a minute. */
  readonly retryForMs?: number;
}

const RETRY_FOR_MS = 60_000;

/** Returns the exit code. */
export async function migrateCommand(
  args: readonly string[],
  environment: MigrateEnvironment,
): Promise<number> {
  const redact = (text: string): string => withoutCredentials(text, args);
  const terminal = redacted(environment.terminal, redact);
  const program = migrateProgram().action(
    action(async (options: MigrateArguments) => {
      const { code, result, error } = await migrate(options, { ...environment, terminal });
      if (result !== undefined) terminal.line(result);
      if (error !== undefined) terminal.error(error);
      return code;
    }),
  );
  return runProgram(program, args, { terminal: environment.terminal, redact });
}

async function migrate(args: MigrateArguments, environment: MigrateEnvironment): Promise<Report> {
  const { verifyOnly = false } = args;
  const { terminal, signal, retryForMs = RETRY_FOR_MS } = environment;
  const open: EventStore[] = [];
  try {
    for (const [name, readOnly] of [
      ['from', true],
      ['to', verifyOnly],
    ] as const) {
      try {
        open.push(await environment.open(args[name], { readOnly }));
      } catch (error) {
        return { code: 2, error: `--${name} can not be opened: ${messageOf(error)}` };
      }
    }
    const [source, target] = open;
    if (source === undefined || target === undefined) throw new Error('two stores were to be opened');
    const progress = new ProgressBar(terminal, 'events');
    const outcome = await new Migration(source, target, { verifyOnly, retryForMs, signal, progress }).run();
    return outcomeReport(outcome, args, signal.reason);
  } finally {
    await Promise.allSettled(open.map((store) => store.close()));
  }
}

/** Takes user and password of an address out of all lines. */
function redacted(terminal: Terminal, redact: (text: string) => string): Terminal {
  return {
    ...terminal,
    line: (text) => terminal.line(redact(text)),
    error: (text) => terminal.error(redact(text)),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
