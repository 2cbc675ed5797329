import type { EventStore } from '@tillstream/event-store';
import { noReadModels, StreamAdminKeys, StreamProvisioning, type Clock } from '@tillstream/payments';
import { readConfig, withStores, type Config } from '@tillstream/platform';
import { adminKeyItem, apiKeyItem } from '@tillstream/presentation';
import { EXIT, Failed, type Command, type World } from './command.types.js';
import { KEYS_HELP, parseKeys, type KeysAsked } from './keys.arguments.js';
import { printIssued, printKeys } from './keys.report.js';
import { findMerchant } from './merchant.reading.js';
import { rememberDemoKey, whatSandboxFileSays } from './sandbox.file.js';

interface Parts {
  readonly config: Config;
  readonly store: EventStore;
  readonly clock: Clock;
  readonly world: World;
}

export const keysCommand: Command = {
  summary: 'lists, issues, rotates and revokes keys of operators and merchants',
  help: KEYS_HELP,
  async run(args, world) {
    const asked = parseKeys(args, world);
    const { merchantId } = asked;
    const config = readConfig(world.environment);
    const access = asked.action === 'list' ? 'read' : 'write';
    await withStores(config, { access }, async (stores) => {
      const parts = { config, store: await stores.events(), clock: await stores.clock(), world };
      return merchantId === undefined ? ofOperators(parts, asked) : ofMerchant(parts, asked, merchantId);
    });
    return EXIT.done;
  },
};

async function ofOperators({ config, store, clock, world }: Parts, asked: KeysAsked): Promise<void> {
  const keys = new StreamAdminKeys(store, clock);
  const { operator, json } = asked;
  const { terminal } = world;
  switch (asked.action) {
    case 'list': {
      const all = await keys.listAdminKeys();
      const some = all.filter(({ revokedAt }) => asked.all || revokedAt === undefined);
      return printKeys(terminal, json, some.map(adminKeyItem));
    }
    case 'issue': {
      const { keyId: id, ...issued } = await keys.issueAdminKey(operator, { name: asked.name });
      return printIssued(terminal, json, { id, ...issued });
    }
    case 'rotate': {
      const { keyId: id, ...issued } = await keys.rotateAdminKey(operator, asked.key);
      printIssued(terminal, json, { id, ...issued });
      const all = await keys.listAdminKeys();
      const replaced = all.find((one) => one.id === id)?.replaces;
      const old = all.find((one) => one.id === replaced);
      const note = old && (await rememberDemoKey(config.dataDir, old.hash, issued.key));
      if (note !== undefined) terminal.error(note);
      return;
    }
    case 'revoke': {
      const key = await keys.revokeAdminKey(operator, asked.key, asked.reason);
      printRevoked(world, config, json, adminKeyItem(key), key.hash);
    }
  }
}

async function ofMerchant(
  { config, store, clock, world }: Parts,
  asked: KeysAsked,
  merchantId: string,
): Promise<void> {
  const { operator, json, name, readOnly } = asked;
  // Lists of merchants have nothing of keys: the projector passes over what happens here.
  const provisioning = new StreamProvisioning(store, clock, noReadModels);
  const { apiKeys } = await findMerchant(store, merchantId);
  if (asked.action === 'list') {
    const some = apiKeys.filter((key) => asked.all || !key.revoked);
    return printKeys(world.terminal, json, some.map(apiKeyItem));
  }
  if (asked.action === 'issue') {
    const mode = config.mode === 'live' ? 'live' : 'test';
    const { keyId: id, ...issued } = await provisioning.issueApiKey(operator, merchantId, {
      name,
      readOnly,
      mode,
    });
    return printIssued(world.terminal, json, { id, ...issued });
  }
  if (!apiKeys.some(({ id }) => id === asked.key)) {
    throw new Failed(
      `The merchant has no such key; a merchant's key is named by its id, which keys list --merchant ${merchantId} shows.`,
    );
  }
  const key = await provisioning.revokeApiKey(operator, merchantId, asked.key);
  printRevoked(world, config, json, apiKeyItem(key), key.hash);
}

function printRevoked(
  { terminal }: World,
  { dataDir }: Config,
  json: boolean,
  key: { readonly id: string; readonly name: string },
  hash: string,
): void {
  const sentence = `${key.id} "${key.name}" is revoked; it stops within 2 s on every instance.`;
  terminal.line(json ? JSON.stringify(key, null, 2) : sentence);
  const note = whatSandboxFileSays(dataDir, hash);
  if (note !== undefined) terminal.error(note);
}
