import { readConfig, sandboxDailyLines } from '@tillstream/platform';
import { action } from '@tillstream/platform/command-line';
import { Command } from 'commander';
import { time } from '../command.options.js';
import { EXIT, Failed, type CommandContext } from '../command.types.js';
import { outOption, writeResult } from '../output.file.js';

const HELP = `
Lines of JSON: a header with the range, a row for each request that the acquirer answered and for each return, and their count.
A sandbox that is a process of its own gives the same file:

  curl -s -H "authorization: Bearer $SANDBOX_SECRET" "$SANDBOX_URL/v1/ledger/daily-file?from=…&to=…"`;

interface Options {
  readonly from: number;
  readonly to: number;
  readonly processor: string;
  readonly out?: string;
}

export function dailyFileCommand(context: CommandContext): Command {
  return new Command('daily-file')
    .summary('the daily file of the simulated acquirer, for reconcile')
    .description(
      'Writes the daily file of a simulated acquirer in the process of the API: what it answered in a time.',
    )
    .requiredOption('--from <time>', 'inclusive, real time, such as 2026-11-26T00:00:00Z', time)
    .requiredOption('--to <time>', 'exclusive', time)
    .option('--processor <name>', 'the name of the sandbox', 'sandbox')
    .addOption(outOption())
    .addHelpText('after', HELP)
    .action(
      action(async ({ from, to, processor, out }: Options) => {
        const lines = sandboxDailyLines(readConfig(context.environment), processor, { from, to });
        if (!lines) throw new Failed(`There is no sandbox "${processor}" with a ledger in DATA_DIR.`);
        const text = [...lines].map((line) => JSON.stringify(line)).join('\n');
        writeResult(`${text}\n`, out, context);
        return EXIT.done;
      }),
    );
}
