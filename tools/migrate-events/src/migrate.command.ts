import type { EventStore } from '@tillstream/event-store';
import { displayAddress } from '@tillstream/platform';
import { action, ProgressBar, runProgram, type Terminal } from '@tillstream/platform/command-line';
import { errorMessage } from '@tillstream/runtime';
import { Command, InvalidArgumentError } from 'commander';
import { Migration } from './migration.js';
import { outcomeReport, type Report } from './outcome.report.js';
import { isAddress, isSameStore, withoutCredentials } from './store.address.js';

export interface MigrateArguments {
  readonly from: string;
  readonly to: string;
  readonly verifyOnly?: boolean;
  readonly untilNow?: boolean;
}

const HELP = `
An address is one of
  sqlite:<data folder or file>      sqlite:.data
  esdb://<USER>:<PASSWORD>@<host>   esdb://127.0.0.1:2113?tls=false
  esdb+discover://<host>            a cluster, found by its name
  settings                          the store of the service's settings

Stop the service first: events that it writes during the run are not copied. After an interruption, by Ctrl-C or otherwise, the
same command continues where it stopped. The copy is read back and compared when all is written.

Exit code 0: the target holds all events of the source, and every hash chain is intact. 1: it does not, or a chain is
broken; the first event is named. 2: it could not be done. 130, 143: interrupted by SIGINT, SIGTERM.`;

export interface MigrateEnvironment {
  /** Rejects with one sentence if the store can't be opened. */
  open(address: string, options: { readonly readOnly: boolean }): Promise<EventStore>;
  readonly terminal: Terminal;
  /** Aborted with the name of the signal. */
  readonly signal: AbortSignal;
  /** How long calls to a store that does not answer are repeated, ms. Left out: a minute. */
  readonly retryForMs?: number;
}

const RETRY_FOR_MS = 60_000;

export async function migrateCommand(
  args: readonly string[],
  environment: MigrateEnvironment,
): Promise<number> {
  // Takes user and password of an address out of all lines.
  const redact = (text: string): string => withoutCredentials(text, args);
  const { terminal: plain } = environment;
  const terminal: Terminal = {
    ...plain,
    line: (text) => plain.line(redact(text)),
    error: (text) => plain.error(redact(text)),
  };
  const program = migrateProgram().action(
    action(async (options: MigrateArguments) => {
      const { code, result, error } = await migrate(options, { ...environment, terminal });
      if (result !== undefined) terminal.line(result);
      if (error !== undefined) terminal.error(error);
      return code;
    }),
  );
  return runProgram(program, args, { terminal: plain, redact });
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
        return { code: 2, error: `--${name} can not be opened: ${errorMessage(error)}` };
      }
    }
    const [source, target] = open as [EventStore, EventStore];
    const progress = new ProgressBar(terminal, 'events');
    const outcome = await new Migration(source, target, { verifyOnly, retryForMs, signal, progress }).run();
    return outcomeReport(outcome, args, signal.reason);
  } finally {
    await Promise.allSettled(open.map((store) => store.close()));
  }
}

function migrateProgram(): Command {
  return new Command('npm run --silent migrate-events --')
    .description(
      'Copies every event of one store to another: the same ids, contents and hashes, in the same order.',
    )
    .requiredOption('--from <address>', 'the source; nothing is written there', address)
    .requiredOption(
      '--to <address>',
      'the target: empty, or holding the beginning of the same history',
      address,
    )
    .option('--verify-only', 'compare both and write nothing')
    .option(
      '--until-now',
      'copy what the source has now, while the service runs: later events are no failure',
    )
    .addHelpText('after', HELP)
    .hook('preAction', (program) => {
      const { from, to } = program.opts<MigrateArguments>();
      if (isSameStore(from, to))
        program.error(`error: --from and --to are the same store, ${displayAddress(to)}`);
    });
}

function address(text: string): string {
  if (isAddress(text)) return text;
  throw new InvalidArgumentError('Allowed are sqlite:<data folder or file>, esdb://… and esdb+discover://….');
}
