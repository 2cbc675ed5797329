import { replaceLostFile, describeLoss, LOSS_BY_FILE, readConfig } from '@tillstream/platform';
import { action } from '@tillstream/platform/command-line';
import { Command } from 'commander';
import { EXIT, type CommandContext } from './command.types.js';

const HELP = `
Allowed only while the service is stopped and <file> is missing or empty in DATA_DIR: it is refused while another process has
a file there open. The loss by file:

${Object.entries(LOSS_BY_FILE)
  .map(([name, loss]) => `  ${name.padEnd(12)} ${loss}`)
  .join('\n')}

sandbox-NAME.db, of one of MORE_SANDBOXES, counts as sandbox.db. events.db can be replaced only with EVENT_STORE=eventstoredb.
If the events were in it, start a service without the old payments on another DATA_DIR.`;

export function beginAnewCommand({ environment, terminal }: CommandContext): Command {
  return new Command('begin-anew')
    .summary('makes a new file in place of one that is lost for good')
    .description(
      'Makes a new file in place of one that is lost for good. If there is a backup, restore it instead.',
    )
    .argument('<file>')
    .addHelpText('after', HELP)
    .action(
      action(async (name: string) => {
        const file = await replaceLostFile(readConfig(environment), name);
        terminal.line(`${file} is new and empty: ${describeLoss(name)}.`);
        return EXIT.done;
      }),
    );
}
