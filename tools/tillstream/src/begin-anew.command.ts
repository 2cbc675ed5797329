import { replaceLostFile, describeLoss, LOSS_BY_FILE, readConfig } from '@tillstream/platform';
import { namedWords, readArguments } from './arguments.js';
import { EXIT, type Command } from './command.types.js';

const HELP = `Makes a new file in place of one that is lost for good. Restore a backup instead wherever there is one.

Usage: npm run --silent tillstream -- begin-anew FILE

Allowed only while the service is stopped and FILE is missing or empty in DATA_DIR: it is refused while another process has
a file there open. What is gone then:

${Object.entries(LOSS_BY_FILE)
  .map(([name, loss]) => `  ${name.padEnd(12)} ${loss}`)
  .join('\n')}

sandbox-NAME.db, of one of MORE_SANDBOXES, counts as sandbox.db. events.db can be begun anew only with EVENT_STORE=eventstoredb. With the events in it, a service without the old payments
is started on another DATA_DIR.`;

export const beginAnewCommand: Command = {
  summary: 'makes a new file in place of one that is lost for good',
  help: HELP,
  async run(args, { environment, terminal }) {
    const { words } = readArguments(args, {});
    const [name = ''] = namedWords(words, ['FILE']);
    const file = await replaceLostFile(readConfig(environment), name);
    terminal.line(`${file} is new and empty: ${describeLoss(name)}.`);
    return EXIT.done;
  },
};
