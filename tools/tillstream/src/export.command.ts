import { parseOperationId } from '@tillstream/domain';
import { PersonalDataAudit, type Actor } from '@tillstream/payments';
import { readConfig, withStores, type Stores } from '@tillstream/platform';
import { action } from '@tillstream/platform/command-line';
import { errorMessage } from '@tillstream/runtime';
import { Command, InvalidArgumentError, Option } from 'commander';
import { actorOption, operator, REASON_CHARACTERS_MAX, storedText } from './command.options.js';
import { EXIT, Failed, type CommandContext } from './command.types.js';
import { outOption, writeResult } from './output.file.js';
import { openPersonal, sealedIn } from './personal.data.js';
import { exportOf, readHistory, type History, type PersonalPart } from './transaction.export.js';

const HELP = `
The export is JSON: every event of the payment or stored card that the transaction belongs to, in order, with both clocks, who
did it and why, hashes and data; and the operations as their merchant sees them. The chain of hashes is checked, and the
result is in the export.

--personal opens personal data too (a card's expiry, billing contacts, proofs of authorizations); never a card number. That you
read it, and why, is recorded before: if that can't be written, nothing is opened.

Exit code 0: exported, and the chain is intact. 1: exported, but the chain is broken; or it could not be done.`;

interface ExportOptions {
  readonly out?: string;
  readonly personal?: boolean;
  readonly reason?: string;
  readonly actor?: string;
}

export function exportCommand(context: CommandContext): Command {
  const { terminal } = context;
  return new Command('export')
    .summary("a transaction's whole history as JSON, with its chain of hashes checked")
    .description("Exports a transaction's whole history.")
    .argument('<trx_…>', 'id of the transaction', transactionId)
    .addOption(outOption())
    .option('--personal', 'open personal data too; needs --reason')
    .addOption(
      new Option(
        '--reason <text>',
        `why, in 1 to ${REASON_CHARACTERS_MAX} characters and without personal data in it; kept for good`,
      ).argParser(storedText(REASON_CHARACTERS_MAX)),
    )
    .addOption(actorOption)
    .addOption(new Option('--json').hideHelp())
    .addHelpText('after', HELP)
    .action(
      action(async (id: string, options: ExportOptions, command: Command) => {
        checkPersonal(options, command);
        const { out, reason, actor } = options;
        const read = reason === undefined ? undefined : { reason, actor: operator(actor, context) };
        return withStores(
          readConfig(context.environment),
          { access: read ? 'write' : 'read' },
          async (stores) => {
            const history = await readHistory(await stores.events(), id);
            const personal = read && (await readPersonal(stores, history, read));
            const exported = exportOf(history, { store: stores.name, personal });
            writeResult(`${JSON.stringify(exported, null, 2)}\n`, out, context);
            if (exported.chain.status === 'Intact') return EXIT.done;
            const { revision, problem } = exported.chain;
            terminal.error(`The chain of ${history.stream} is BROKEN at revision ${revision}: ${problem}.`);
            return EXIT.failed;
          },
        );
      }),
    );
}

function checkPersonal({ personal = false, reason, actor }: ExportOptions, command: Command): void {
  if (!personal && (reason !== undefined || actor !== undefined)) {
    const option = reason === undefined ? '--actor' : '--reason';
    command.error(`error: ${option} needs --personal: only then something is recorded`);
  }
  if (personal && reason === undefined)
    command.error('error: --personal needs --reason: who reads personal data says why, and it is recorded');
}

function transactionId(text: string): string {
  if (parseOperationId(text)) return text;
  throw new InvalidArgumentError(
    'That is no id of a transaction; allowed is trx_ and 26 characters, the 24th of them P or T.',
  );
}

async function readPersonal(
  stores: Stores,
  history: History,
  { reason, actor }: { readonly reason: string; readonly actor: Actor },
): Promise<PersonalPart> {
  const sealed = history.events.map(({ data }) => sealedIn(data));
  const needed = sealed.some((some) => some.length > 0);
  const vault = needed ? (await stores.vault()).vault : undefined;
  const { id, merchantId } = history;
  const subject = { type: 'Transaction', id, ...(merchantId !== undefined && { merchantId }) } as const;
  const audit = new PersonalDataAudit({ store: await stores.events(), clock: await stores.clock() });
  await audit.recordPersonalDataRead(actor, subject, reason).catch((error: unknown) => {
    const why = errorMessage(error);
    throw new Failed(`Nothing was opened, as the record of this read could not be written: ${why}`);
  });
  return { reason, readBy: actor.name, ofEvents: await openPersonal(vault, sealed) };
}
