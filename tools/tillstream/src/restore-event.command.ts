import { join } from 'node:path';
import { openSqliteEventStore, restoreEvent } from '@tillstream/event-store-sqlite';
import { pathExists, readConfig } from '@tillstream/platform';
import { action } from '@tillstream/platform/command-line';
import { Command, InvalidArgumentError, Option } from 'commander';
import { EXIT, Failed, type CommandContext } from './command.types.js';

const HELP = `
For a single event whose content was damaged on the disk: "verify" and "projections show" name it. Only the content that was
written is accepted: its hash must follow from the event before it, and the hash of the event after it from its own. Nothing
else changes, so events after the backup stay. The service may run; what halted at the event goes on by itself.
Run "verify" afterwards. With EVENT_STORE=eventstoredb delete the data of the damaged node; it copies everything from the others.`;

export function restoreEventCommand({ environment, terminal }: CommandContext): Command {
  return new Command('restore-event')
    .summary('puts the content of a damaged event back from a backup of events.db')
    .description('Puts the content of one damaged event back, as a backup of events.db has it.')
    .argument('<stream>', 'such as payment-01…')
    .argument('<revision>', 'from 0', revisionNumber)
    .addOption(new Option('--from <events.db>', 'the backup').makeOptionMandatory())
    .addHelpText('after', HELP)
    .action(
      action(async (stream: string, revision: number, { from }: { readonly from: string }) => {
        const { eventStore, dataDir } = readConfig(environment);
        if (eventStore !== 'sqlite') throw new Failed('The events are not in a file; see --help.');
        const file = join(dataDir, 'events.db');
        for (const one of [file, from]) if (!pathExists(one)) throw new Failed(`There is no ${one}.`);
        await restoreFrom(from, file, { stream, revision });
        terminal.line(`Revision ${revision} of ${stream} is as it was written. Run verify now.`);
        return EXIT.done;
      }),
    );
}

async function restoreFrom(
  from: string,
  file: string,
  place: { readonly stream: string; readonly revision: number },
): Promise<void> {
  const copy = await openSqliteEventStore({ file: from, readOnly: true });
  try {
    const live = await openSqliteEventStore({ file });
    try {
      const result = await restoreEvent(live, copy, place);
      if (result.kind === 'Refused') throw new Failed(`Nothing was written: ${result.because}.`);
    } finally {
      await live.close();
    }
  } finally {
    await copy.close();
  }
}

function revisionNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Allowed is a whole number from 0.');
}
