import { recordReconciliation } from '@tillstream/payments';
import { readConfig, withStores } from '@tillstream/platform';
import { action } from '@tillstream/platform/command-line';
import { Command, Option } from 'commander';
import { actorOption, operator, REASON_CHARACTERS_MAX, storedText } from '../command.options.js';
import { EXIT, Failed, type CommandContext } from '../command.types.js';

interface Options {
  readonly reason: string;
  readonly actor?: string;
}

export function resumeCommand(context: CommandContext): Command {
  return new Command('resume-after-restore')
    .summary('lets the service start after a restore that was reconciled')
    .description(
      'Records for good that a restored history was compared with the processors, by whom and how. After that the service starts.',
    )
    .addOption(
      new Option(
        '--reason <text>',
        `which files were compared, or why none had to be, in 1 to ${REASON_CHARACTERS_MAX} characters; kept for good`,
      )
        .argParser(storedText(REASON_CHARACTERS_MAX))
        .makeOptionMandatory(),
    )
    .addOption(actorOption)
    .action(action((options: Options) => resume(context, options)));
}

function resume(context: CommandContext, { reason, actor }: Options): Promise<number> {
  return withStores(readConfig(context.environment), { access: 'write' }, async (stores) => {
    const ports = { store: await stores.events(), clock: await stores.clock() };
    const restore = await recordReconciliation(ports, operator(actor, context), reason);
    if (!restore) throw new Failed('No restore waits for this; nothing was recorded.');
    context.terminal.line(
      `The restore of the copy of ${restore.takenAt} is reconciled; the service may start.`,
    );
    return EXIT.done;
  });
}
