import { BackupError, readConfig, restoreBackup } from '@tillstream/platform';
import { action, formatCount, signalExitCode } from '@tillstream/platform/command-line';
import { Command } from 'commander';
import { actorOption, operator } from '../command.options.js';
import { EXIT, Failed, type CommandContext } from '../command.types.js';
import { CopySteps } from './copy.steps.js';

const HELP = `
Stop every process of the service first. The target is empty: a new DATA_DIR, in which only vault.keys and answers.key may be; an
empty EventStoreDB and a new database where they are used. Every part is compared with its checksum before anything is written.

The restored service does not start until you have compared it with the processors: what they executed after the copy is not in
the history, and customers could be charged again. See "reconcile --help" and docs/backup-and-restore.md.

Exit code 0: restored. 1: it failed; the same command may be repeated. 2: wrong use, or wrong settings.`;

interface Options {
  readonly from: string;
  readonly postgresPrograms?: string;
  readonly actor?: string;
}

export function restoreCommand(context: CommandContext): Command {
  return new Command('restore')
    .summary('restores a copy into an empty DATA_DIR, or empty servers')
    .description('Restores a copy that "backup" made.')
    .requiredOption('--from <folder>', 'the copy')
    .option('--postgres-programs <folder>', 'with pg_restore; left out: the PATH')
    .addOption(actorOption)
    .addHelpText('after', HELP)
    .action(action((options: Options) => restore(context, options)));
}

async function restore(context: CommandContext, { from, postgresPrograms, actor }: Options): Promise<number> {
  const { environment, terminal } = context;
  const signal = context.signal();
  const steps = new CopySteps(terminal);
  try {
    const { events, takenAt } = await restoreBackup(readConfig(environment), {
      ...{ folder: from, postgresPrograms, signal, actor: operator(actor, context) },
      copyEvents: (file) => copyEvents(context, file),
      onStep: (step) => steps.begin(step),
      onBytes: (done, total) => steps.update(done, total),
    });
    terminal.line(
      `Restored: ${formatCount(events)} events as of ${takenAt}. What happened since is not in them, removals of cards and erasures of persons too.`,
    );
    terminal.line(
      'Next: put the keys in their places, reconcile with each processor, then resume-after-restore.',
    );
    return EXIT.done;
  } catch (error) {
    if (signal.aborted) {
      terminal.error('Interrupted: repeat the same command.');
      return signalExitCode(signal);
    }
    if (error instanceof BackupError) throw new Failed(error.message);
    throw error;
  } finally {
    steps.end();
  }
}

async function copyEvents(context: CommandContext, file: string): Promise<void> {
  const code = await context.runTool('migrate-events', ['--from', `sqlite:${file}`, '--to', 'settings']);
  if (code !== 0) throw new Failed(`The events were not restored (exit code ${code}).`);
}
