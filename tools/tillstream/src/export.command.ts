import { existsSync, lstatSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseOperationId } from '@tillstream/domain';
import { StreamPersonalDataAudit, type Actor } from '@tillstream/payments';
import { readConfig, replacePrivateFile, withStores, type Stores } from '@tillstream/platform';
import { namedWords, readArguments, storedText } from './arguments.js';
import { EXIT, Failed, WrongUse, type Command, type World } from './command.types.js';
import { operatorOf } from './operator.js';
import { openPersonal, sealedIn } from './personal.opening.js';
import { exportOf, readHistory, type History, type PersonalPart } from './transaction.export.js';

const LONGEST_REASON = 500;

const HELP = `A transaction's whole history as JSON: every event of the payment or stored card that it belongs to, in order, with
both clocks, who did it and why, hashes and data; and the operations as their merchant sees them. The chain of hashes is
checked, and the result is in the export.

Usage: npm run --silent tillstream -- export trx_… [--out FILE] [--personal --reason TEXT] [--actor NAME]

  --out FILE      write there, whole or not at all, readable by its owner only, in place of what was there; left out: on
                  stdout
  --personal      opens personal data too (a card's expiry, billing contacts); never a card number. That you read it, and
                  why, is recorded before: where that can't be written, nothing is opened
  --reason TEXT   why, in 1 to ${LONGEST_REASON} characters and without personal data in it; kept for good
  --actor NAME    who reads it; left out: the user of the operating system

Exit code 0: exported, and the chain is intact. 1: exported, but the chain is broken; or it could not be done.`;

const OPTIONS = {
  out: 'text',
  personal: 'flag',
  reason: 'text',
  actor: 'text',
  json: 'flag',
} as const;

interface Asked {
  readonly id: string;
  readonly out?: string;
  readonly personal?: { readonly reason: string; readonly actor: Actor };
}

export const exportCommand: Command = {
  summary: "a transaction's whole history as JSON, with its chain of hashes checked",
  help: HELP,
  async run(args, world) {
    const asked = parse(args, world);
    const config = readConfig(world.environment);
    return withStores(config, { access: asked.personal ? 'write' : 'read' }, async (stores) => {
      const history = await readHistory(await stores.events(), asked.id);
      const personal = asked.personal && (await readPersonal(stores, history, asked.personal));
      const exported = exportOf(history, { store: stores.name, ...(personal && { personal }) });
      write(`${JSON.stringify(exported, null, 2)}\n`, asked.out, world);
      if (exported.chain.status === 'Intact') return EXIT.done;
      const { revision, problem } = exported.chain;
      world.terminal.error(`The chain of ${history.stream} is BROKEN at revision ${revision}: ${problem}.`);
      return EXIT.failed;
    });
  },
};

function parse(args: readonly string[], world: World): Asked {
  const { words, options } = readArguments(args, OPTIONS);
  const [id = ''] = namedWords(words, ['trx_…']);
  // What was typed is not repeated: it could be a card number.
  if (!parseOperationId(id)) {
    throw new WrongUse(
      'That is no id of a transaction; allowed is trx_ and 26 characters, the 24th of them P or T.',
    );
  }
  const { out, personal, reason, actor } = options;
  if (personal !== true && (reason !== undefined || actor !== undefined)) {
    throw new WrongUse(
      `--${reason === undefined ? 'actor' : 'reason'} needs --personal: only then something is recorded.`,
    );
  }
  if (personal === true && reason === undefined) {
    throw new WrongUse('--personal needs --reason: who reads personal data says why, and it is recorded.');
  }
  if (out !== undefined) checkPlace(out);
  return {
    id,
    ...(out !== undefined && { out }),
    ...(reason !== undefined && {
      personal: { reason: storedText('--reason', reason, LONGEST_REASON), actor: operatorOf(actor, world) },
    }),
  };
}

/** Before anything is read: a record of a read that nobody got would be wrong. @throws WrongUse */
function checkPlace(out: string): void {
  const file = resolve(out);
  const folder = dirname(file);
  // A device or a link would be replaced by a file.
  if (out === '' || lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) {
    throw new WrongUse(`--out is "${out}", which is no file; allowed is the name of an ordinary file.`);
  }
  if (!existsSync(folder)) throw new WrongUse(`--out is in "${folder}", which is no folder; make it first.`);
}

async function readPersonal(
  stores: Stores,
  history: History,
  { reason, actor }: NonNullable<Asked['personal']>,
): Promise<PersonalPart> {
  const sealed = history.events.map(({ data }) => sealedIn(data));
  const needed = sealed.some((some) => some.length > 0);
  const vault = needed ? (await stores.vault()).vault : undefined;
  const { id, merchantId } = history;
  const subject = { type: 'Transaction', id, ...(merchantId !== undefined && { merchantId }) } as const;
  const audit = new StreamPersonalDataAudit(await stores.events(), await stores.clock());
  await audit.recordPersonalDataRead(actor, subject, reason).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failed(`Nothing was opened, as the record of this read could not be written: ${why}`);
  });
  return { reason, readBy: actor.name, ofEvents: await openPersonal(vault, sealed) };
}

function write(text: string, out: string | undefined, { terminal }: World): void {
  if (out === undefined) {
    terminal.line(text.trimEnd());
    return;
  }
  try {
    replacePrivateFile(resolve(out), text);
  } catch (error) {
    throw new Failed(`--out can not be written: ${error instanceof Error ? error.message : String(error)}`);
  }
  terminal.error(`Written to ${resolve(out)}, readable by its owner only.`);
}
