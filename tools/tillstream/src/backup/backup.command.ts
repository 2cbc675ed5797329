import {
  backUp,
  BackupError,
  neededKeys,
  readConfig,
  type BackupManifest,
  type Config,
} from '@tillstream/platform';
import { action, formatCount, signalExitCode } from '@tillstream/platform/command-line';
import { Command } from 'commander';
import { EXIT, Failed, type CommandContext } from '../command.types.js';
import { CopySteps } from './copy.steps.js';

const HELP = `
The service may run: it is not slowed noticeably, and no payment waits. The order is that of the list; what the events refer to
is in the copy, or newer than it:

  EVENT_STORE=sqlite        events.db (events, idempotency keys, clock), vault.db, sandbox ledgers
  EVENT_STORE=eventstoredb  the events (history.db), then events.db (idempotency keys, clock), vault.db, ledgers
  SHARED_STORE=postgres     the events (history.db), then the database (database.dump, by pg_dump)

backup.json is written last: a folder without it is no complete copy. Lists and deliveries in files follow from the events and
are not copied. Keys are never copied: keep them elsewhere.

Exit code 0: complete. 1: it failed, and the folder is to be removed. 2: wrong use, or wrong settings. 130, 143: interrupted.`;

interface Options {
  readonly to: string;
  readonly postgresPrograms?: string;
}

export function backupCommand(context: CommandContext): Command {
  return new Command('backup')
    .summary('copies all stores while the service runs')
    .description('Copies all stores that can not be made again, while the service runs.')
    .requiredOption('--to <folder>', 'a new or empty folder, readable by its owner only')
    .option('--postgres-programs <folder>', 'with pg_dump; left out: the PATH')
    .addHelpText('after', HELP)
    .action(action((options: Options) => backup(context, options)));
}

async function backup(context: CommandContext, { to, postgresPrograms }: Options): Promise<number> {
  const { environment, terminal, version } = context;
  const config = readConfig(environment);
  const signal = context.signal();
  const steps = new CopySteps(terminal);
  const startedAt = performance.now();
  try {
    const manifest = await backUp(config, {
      ...{ folder: to, program: version, postgresPrograms, signal },
      copyEvents: (file) => copyEvents(context, file),
      onStep: (step) => steps.begin(step),
      onBytes: (done, total) => steps.update(done, total),
    });
    for (const line of resultLines(config, to, manifest, performance.now() - startedAt)) terminal.line(line);
    return EXIT.done;
  } catch (error) {
    if (signal.aborted) {
      terminal.error(`Interrupted: ${to} is not complete; remove it.`);
      return signalExitCode(signal);
    }
    if (error instanceof BackupError) throw new Failed(error.message);
    throw error;
  } finally {
    steps.end();
  }
}

async function copyEvents(context: CommandContext, file: string): Promise<void> {
  const args = ['--from', 'settings', '--to', `sqlite:${file}`, '--until-now'];
  const code = await context.runTool('migrate-events', args);
  if (code !== 0) throw new Failed(`The events were not copied (exit code ${code}).`);
}

function resultLines(config: Config, folder: string, manifest: BackupManifest, ms: number): string[] {
  const { events, parts, takenAt } = manifest;
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  return [
    `Copied to ${folder}: ${formatCount(events)} events as of ${takenAt}, ${formatCount(Math.ceil(bytes / 1_048_576))} MiB, in ${(ms / 1000).toFixed(1)} s.`,
    ...parts.map(
      (part) => `  ${part.file.padEnd(16)} ${formatCount(part.bytes)} bytes  sha256 ${part.sha256}`,
    ),
    `The keys are not in it. Keep copies of them in another place: ${neededKeys(config).join(', ')}. Without them no stored card can be used.`,
  ];
}
