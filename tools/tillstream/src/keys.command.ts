import type { EventStore } from '@tillstream/event-store';
import { noReadModels, AdminKeys, Provisioning, type Clock } from '@tillstream/payments';
import { readConfig, withStores, type Config } from '@tillstream/platform';
import { action } from '@tillstream/platform/command-line';
import { adminKeyItem, apiKeyItem } from '@tillstream/presentation';
import { Command, Option } from 'commander';
import { EXIT, Failed, type CommandContext } from './command.types.js';
import { printIssued, printKeys } from './keys.report.js';
import { findMerchant, merchantId } from './merchant.query.js';
import { actorOption, operator } from './operator.js';
import { rememberDemoKey, revokedDemoKeyNote } from './sandbox.file.js';
import { storedText } from './stored.text.js';

const NAME_CHARACTERS_MAX = 100;
const REASON_CHARACTERS_MAX = 500;

const HELP = `
A new key is printed once: the store has its hash only. For a script, --json prints a list as { "data": […] } and a new key
as { "id", "name", "key", … }.
If the key of the sandbox's demo is rotated, the new one is written to sandbox.json in DATA_DIR, which names it. If it is
revoked, the next start makes another one and writes it there.`;

interface KeyOptions {
  readonly merchant?: string;
  readonly json?: boolean;
  readonly actor?: string;
}

interface Stores {
  readonly config: Config;
  readonly store: EventStore;
  readonly clock: Clock;
}

export function keysCommand(context: CommandContext): Command {
  const merchant = new Option(
    '--merchant <mer_…>',
    "keys of this merchant; left out: operators' keys",
  ).argParser(merchantId);
  const json = new Option('--json', 'for a script');
  return new Command('keys')
    .summary('lists, issues, rotates and revokes keys of operators and merchants')
    .description(
      'Keys of operators, and of merchants. A new key works at once; a revoked one stops within 2 s on every instance.',
    )
    .addHelpText('after', HELP)
    .addCommand(
      new Command('list')
        .description('the keys that work')
        .option('--all', 'revoked ones too')
        .addOption(merchant)
        .addOption(json)
        .action(
          action((options) => withKeyStores(context, 'read', (stores) => list(stores, options, context))),
        ),
    )
    .addCommand(
      new Command('issue')
        .description('makes a new key')
        .addOption(
          new Option('--name <name>', 'the name of the key')
            .argParser(storedText(NAME_CHARACTERS_MAX))
            .makeOptionMandatory(),
        )
        .addOption(merchant)
        .option('--read-only', "a merchant's key that can't change anything; needs --merchant")
        .addOption(actorOption)
        .addOption(json)
        .action(
          action(async (options: IssueOptions, command: Command) => {
            if (options.readOnly && options.merchant === undefined)
              command.error('error: --read-only needs --merchant');
            return withKeyStores(context, 'write', (stores) => issue(stores, options, context));
          }),
        ),
    )
    .addCommand(
      new Command('rotate')
        .description(
          "makes another operator's key of the same name and revokes the old one; for a merchant, issue another key and revoke the old one",
        )
        .argument('<name|id>')
        .addOption(actorOption)
        .addOption(json)
        .action(
          action((key, options) =>
            withKeyStores(context, 'write', (stores) => rotate(stores, key, options, context)),
          ),
        ),
    )
    .addCommand(
      new Command('revoke')
        .description("revokes a key; a merchant's key is named by its id")
        .argument('<name|id>')
        .addOption(merchant)
        .addOption(
          new Option('--reason <text>', "why, for an operator's key")
            .argParser(storedText(REASON_CHARACTERS_MAX))
            .conflicts('merchant'),
        )
        .addOption(actorOption)
        .addOption(json)
        .action(
          action((key, options) =>
            withKeyStores(context, 'write', (stores) => revoke(stores, key, options, context)),
          ),
        ),
    );
}

async function withKeyStores(
  { environment }: CommandContext,
  access: 'read' | 'write',
  run: (stores: Stores) => Promise<void>,
): Promise<number> {
  const config = readConfig(environment);
  await withStores(config, { access }, async (stores) =>
    run({ config, store: await stores.events(), clock: await stores.clock() }),
  );
  return EXIT.done;
}

async function list(
  { store, clock }: Stores,
  { merchant, all = false, json = false }: KeyOptions & { readonly all?: boolean },
  { terminal }: CommandContext,
): Promise<void> {
  if (merchant === undefined) {
    const keys = await new AdminKeys({ store, clock }).listAdminKeys();
    return printKeys(
      terminal,
      json,
      keys.filter(({ revokedAt }) => all || revokedAt === undefined).map(adminKeyItem),
    );
  }
  const { apiKeys } = await findMerchant(store, merchant);
  printKeys(terminal, json, apiKeys.filter(({ revoked }) => all || !revoked).map(apiKeyItem));
}

interface IssueOptions extends KeyOptions {
  readonly name: string;
  readonly readOnly?: boolean;
}

async function issue(
  { config, store, clock }: Stores,
  { merchant, name, readOnly = false, json = false, actor }: IssueOptions,
  context: CommandContext,
): Promise<void> {
  const issuer = operator(actor, context);
  if (merchant === undefined) {
    const { keyId: id, ...issued } = await new AdminKeys({ store, clock }).issueAdminKey(issuer, { name });
    return printIssued(context.terminal, json, { id, ...issued });
  }
  await findMerchant(store, merchant);
  const mode = config.mode === 'live' ? 'live' : 'test';
  const { keyId: id, ...issued } = await provisioning(store, clock).issueApiKey(issuer, merchant, {
    name,
    readOnly,
    mode,
  });
  printIssued(context.terminal, json, { id, ...issued });
}

async function rotate(
  { config, store, clock }: Stores,
  key: string,
  { json = false, actor }: KeyOptions,
  context: CommandContext,
): Promise<void> {
  const keys = new AdminKeys({ store, clock });
  const { keyId: id, ...issued } = await keys.rotateAdminKey(operator(actor, context), key);
  printIssued(context.terminal, json, { id, ...issued });
  const all = await keys.listAdminKeys();
  const replaced = all.find((one) => one.id === id)?.replaces;
  const old = all.find((one) => one.id === replaced);
  const note = old && (await rememberDemoKey(config.dataDir, old.hash, issued.key));
  if (note !== undefined) context.terminal.error(note);
}

async function revoke(
  { config, store, clock }: Stores,
  key: string,
  { merchant, reason, json, actor }: KeyOptions & { readonly reason?: string },
  context: CommandContext,
): Promise<void> {
  const { terminal } = context;
  const revoker = operator(actor, context);
  let item: { readonly id: string; readonly name: string };
  let hash: string;
  if (merchant === undefined) {
    const revoked = await new AdminKeys({ store, clock }).revokeAdminKey(revoker, key, reason);
    [item, hash] = [adminKeyItem(revoked), revoked.hash];
  } else {
    const { apiKeys } = await findMerchant(store, merchant);
    if (!apiKeys.some(({ id }) => id === key)) {
      throw new Failed(
        `The merchant has no such key; a merchant's key is named by its id, which keys list --merchant ${merchant} shows.`,
      );
    }
    const revoked = await provisioning(store, clock).revokeApiKey(revoker, merchant, key);
    [item, hash] = [apiKeyItem(revoked), revoked.hash];
  }
  const sentence = `${item.id} "${item.name}" is revoked; it stops within 2 s on every instance.`;
  terminal.line(json ? JSON.stringify(item, null, 2) : sentence);
  const note = revokedDemoKeyNote(config.dataDir, hash);
  if (note !== undefined) terminal.error(note);
}

/** Lists of merchants show no keys, so no read model is written here. */
function provisioning(store: EventStore, clock: Clock): Provisioning {
  return new Provisioning({ store, clock, readModels: noReadModels });
}
