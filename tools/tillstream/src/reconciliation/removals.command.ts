import { readFileSync } from 'node:fs';
import { removalsSince, repeatRemoval } from '@tillstream/payments';
import { readConfig, withStores } from '@tillstream/platform';
import { action } from '@tillstream/platform/command-line';
import { errorMessage } from '@tillstream/runtime';
import { Command, Option } from 'commander';
import { actorOption, operator, REASON_CHARACTERS_MAX, storedText, time } from '../command.options.js';
import { EXIT, Failed, type CommandContext } from '../command.types.js';
import { outOption, writeResult } from '../output.file.js';

const HELP = `
A copy has the keys of cards and persons that were removed after it was made. The history that knew of these removals is lost
with the restore, so keep the list elsewhere: run "removals list --since …" often, such as each hour, and copy its file away.
After a restore, "removals repeat" removes them again; the service then destroys the keys. It may be repeated, and has to be
while it ends with exit code 1: the copy was made while a card was being stored, and the started service finds its outcome.

A line of the file: the id of the card (pmt_tkn_…) or person (acc_…), its merchant, the time. Only the id is needed.`;

export function removalsCommand(context: CommandContext): Command {
  return new Command('removals')
    .summary('lists removed cards and erased persons, and removes them again after a restore')
    .description('Removed cards and erased persons: a restored vault has their keys again.')
    .addHelpText('after', HELP)
    .addCommand(
      new Command('list')
        .summary('since a time')
        .requiredOption('--since <time>', 'real time, such as 2026-11-26T00:00:00Z', time)
        .addOption(outOption())
        .action(
          action((options: { readonly since: number; readonly out?: string }) => list(context, options)),
        ),
    )
    .addCommand(
      new Command('repeat')
        .summary('all of a file')
        .argument('<file>')
        .addOption(
          new Option('--reason <text>', `why, in 1 to ${REASON_CHARACTERS_MAX} characters; kept for good`)
            .argParser(storedText(REASON_CHARACTERS_MAX))
            .default('repeated after a restore'),
        )
        .addOption(actorOption)
        .action(action((file: string, options: RepeatOptions) => repeat(context, file, options))),
    );
}

interface RepeatOptions {
  readonly reason: string;
  readonly actor?: string;
}

function list(
  context: CommandContext,
  { since, out }: { readonly since: number; readonly out?: string },
): Promise<number> {
  return withStores(readConfig(context.environment), { access: 'read' }, async (stores) => {
    const lines: string[] = [];
    for await (const { id, merchantId, at } of removalsSince(await stores.events(), since))
      lines.push(`${id} ${merchantId} ${at}`);
    writeResult(lines.map((line) => `${line}\n`).join(''), out, context);
    return EXIT.done;
  });
}

function repeat(
  context: CommandContext,
  file: string,
  { reason, actor: name }: RepeatOptions,
): Promise<number> {
  const ids = idsIn(file);
  const actor = operator(name, context);
  return withStores(readConfig(context.environment), { access: 'write' }, async (stores) => {
    const ports = { store: await stores.events(), clock: await stores.clock() };
    const counts = { Removed: 0, RemovedBefore: 0, NotInHistory: 0, NotFinished: 0 };
    for (const id of ids) {
      const result = await repeatRemoval(ports, { id, actor, reason });
      if (result) counts[result] += 1;
      else
        throw new Failed(
          `"${id.slice(0, 60)}" in ${file} is no id of a card or person; those before it are removed.`,
        );
    }
    const { Removed, RemovedBefore, NotInHistory, NotFinished } = counts;
    context.terminal.line(
      `${Removed} removed again, ${RemovedBefore} removed before, ${NotInHistory} not in the history. The running service destroys the keys.`,
    );
    if (NotFinished === 0) return EXIT.done;
    throw new Failed(
      `${NotFinished} were NOT removed: the copy was made while these cards were being stored. Start the service, which finds whether they were stored, and repeat this command until its exit code is 0. Until then they may be usable.`,
    );
  });
}

/** @throws Failed */
function idsIn(file: string): readonly string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.map((line) => line.trim().split(/\s+/)[0] ?? '').filter((id) => id !== '');
  } catch (error) {
    throw new Failed(`The file can not be read: ${errorMessage(error)}`);
  }
}
