import type { EventStore } from '@tillstream/event-store';
import { noReadModels, AdminKeys, Provisioning, type Clock } from '@tillstream/payments';
import { readConfig, withStores, type Config } from '@tillstream/platform';
import { action } from '@tillstream/platform/command-line';
import { adminKeyItem, apiKeyItem } from '@tillstream/presentation';
import { Command, Option } from 'commander';
import {
  actorOption,
  merchantId,
  NAME_CHARACTERS_MAX,
  operator,
  REASON_CHARACTERS_MAX,
  storedText,
} from './command.options.js';
import { EXIT, Failed, type CommandContext } from './command.types.js';
import { printIssued, printKeys } from './keys.report.js';
import { findMerchant } from './merchants.command.js';
import { rememberDemoKey, revokedDemoKeyNote } from './sandbox.file.js';

const HELP = `
A new key is printed once: the store has its hash only. For a script, --json prints a list as { "data": […] } and a new key
as { "id", "name", "key", … }.
If the key of the sandbox's demo is rotated, the new one is written to sandbox.json in DATA_DIR, which names it. If it is
revoked, the next start makes another one and writes it there.`;

const merchantOption = new Option(
  '--merchant <mer_…>',
  "keys of this merchant; left out: operators' keys",
).argParser(merchantId);
const jsonOption = new Option('--json', 'for a script');

interface KeyOptions {
  readonly merchant?: string;
  readonly json?: boolean;
  readonly actor?: string;
}

export function keysCommand(context: CommandContext): Command {
  const keys = new Command('keys')
    .summary('lists, issues, rotates and revokes keys of operators and merchants')
    .description(
      'Keys of operators, and of merchants. A new key works at once; a revoked one stops within 2 s on every instance.',
    )
    .addHelpText('after', HELP);
  for (const make of [listCommand, issueCommand, rotateCommand, revokeCommand])
    keys.addCommand(make(context));
  return keys;
}

interface Stores {
  readonly config: Config;
  readonly store: EventStore;
  readonly clock: Clock;
}

/** Makes a commander action that runs with the stores of the keys. */
function keyAction<Args extends unknown[]>(
  { environment }: CommandContext,
  access: 'read' | 'write',
  run: (stores: Stores, ...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  return action(async (...args: Args) => {
    const config = readConfig(environment);
    await withStores(config, { access }, async (stores) =>
      run({ config, store: await stores.events(), clock: await stores.clock() }, ...args),
    );
    return EXIT.done;
  });
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('the keys that work')
    .option('--all', 'revoked ones too')
    .addOption(merchantOption)
    .addOption(jsonOption)
    .action(
      keyAction(
        context,
        'read',
        async ({ store, clock }, options: KeyOptions & { readonly all?: boolean }) => {
          const { merchant, all = false, json = false } = options;
          const keys =
            merchant === undefined
              ? (await new AdminKeys({ store, clock }).listAdminKeys()).map(adminKeyItem)
              : (await findMerchant(store, merchant)).apiKeys.map(apiKeyItem);
          const shown = keys.filter(({ revokedAt }) => all || revokedAt === undefined);
          printKeys(context.terminal, json, shown);
        },
      ),
    );
}

interface IssueOptions extends KeyOptions {
  readonly name: string;
  readonly readOnly?: boolean;
}

function issueCommand(context: CommandContext): Command {
  return new Command('issue')
    .description('makes a new key')
    .addOption(
      new Option('--name <name>', 'the name of the key')
        .argParser(storedText(NAME_CHARACTERS_MAX))
        .makeOptionMandatory(),
    )
    .addOption(merchantOption)
    .option('--read-only', "a merchant's key that can't change anything; needs --merchant")
    .addOption(actorOption)
    .addOption(jsonOption)
    .hook('preAction', (command) => {
      const { readOnly, merchant } = command.opts<IssueOptions>();
      if (readOnly && merchant === undefined) command.error('error: --read-only needs --merchant');
    })
    .action(
      keyAction(context, 'write', async ({ config, store, clock }, options: IssueOptions) => {
        const { merchant, name, readOnly = false, json = false, actor } = options;
        const issuer = operator(actor, context);
        const mode = config.mode === 'live' ? 'live' : 'test';
        if (merchant !== undefined) await findMerchant(store, merchant);
        const issued =
          merchant === undefined
            ? await new AdminKeys({ store, clock }).issueAdminKey(issuer, { name })
            : await provisioning(store, clock).issueApiKey(issuer, merchant, { name, readOnly, mode });
        printIssued(context.terminal, json, issued);
      }),
    );
}

function rotateCommand(context: CommandContext): Command {
  const { terminal } = context;
  return new Command('rotate')
    .description(
      "makes another operator's key of the same name and revokes the old one; for a merchant, issue another key and revoke the old one",
    )
    .argument('<name|id>')
    .addOption(actorOption)
    .addOption(jsonOption)
    .action(
      keyAction(
        context,
        'write',
        async ({ config, store, clock }, key: string, { json = false, actor }: KeyOptions) => {
          const keys = new AdminKeys({ store, clock });
          const issued = await keys.rotateAdminKey(operator(actor, context), key);
          printIssued(terminal, json, issued);
          const all = await keys.listAdminKeys();
          const replaced = all.find(({ id }) => id === issued.keyId)?.replaces;
          const old = all.find(({ id }) => id === replaced);
          const note = old && (await rememberDemoKey(config.dataDir, old.hash, issued.key));
          if (note !== undefined) terminal.error(note);
        },
      ),
    );
}

interface RevokeOptions extends KeyOptions {
  readonly reason?: string;
}

function revokeCommand(context: CommandContext): Command {
  const { terminal } = context;
  return new Command('revoke')
    .description("revokes a key; a merchant's key is named by its id")
    .argument('<name|id>')
    .addOption(merchantOption)
    .addOption(
      new Option('--reason <text>', "why, for an operator's key")
        .argParser(storedText(REASON_CHARACTERS_MAX))
        .conflicts('merchant'),
    )
    .addOption(actorOption)
    .addOption(jsonOption)
    .action(
      keyAction(context, 'write', async (stores, key: string, options: RevokeOptions) => {
        const { item, hash } = await revoke(stores, key, options, context);
        const sentence = `${item.id} "${item.name}" is revoked; it stops within 2 s on every instance.`;
        terminal.line(options.json ? JSON.stringify(item, null, 2) : sentence);
        const note = revokedDemoKeyNote(stores.config.dataDir, hash);
        if (note !== undefined) terminal.error(note);
      }),
    );
}

async function revoke(
  { store, clock }: Stores,
  key: string,
  { merchant, reason, actor }: RevokeOptions,
  context: CommandContext,
) {
  const revoker = operator(actor, context);
  if (merchant === undefined) {
    const revoked = await new AdminKeys({ store, clock }).revokeAdminKey(revoker, key, reason);
    return { item: adminKeyItem(revoked), hash: revoked.hash };
  }
  const { apiKeys } = await findMerchant(store, merchant);
  if (!apiKeys.some(({ id }) => id === key)) {
    throw new Failed(
      `The merchant has no such key; a merchant's key is named by its id, which keys list --merchant ${merchant} shows.`,
    );
  }
  const revoked = await provisioning(store, clock).revokeApiKey(revoker, merchant, key);
  return { item: apiKeyItem(revoked), hash: revoked.hash };
}

/** Lists of merchants show no keys, so no read model is written here. */
function provisioning(store: EventStore, clock: Clock): Provisioning {
  return new Provisioning({ store, clock, readModels: noReadModels });
}
