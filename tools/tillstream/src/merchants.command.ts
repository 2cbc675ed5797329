import { join } from 'node:path';
import { isMerchantId } from '@tillstream/domain';
import { isThere, readConfig, type Config } from '@tillstream/platform';
import { apiKeyItem, merchantShape, operatorPaymentMethod } from '@tillstream/presentation';
import type { PageKey } from '@tillstream/read-models';
import { openReadModels } from '@tillstream/read-models-sqlite';
import { namedWords, readArguments, shown } from './arguments.js';
import { EXIT, Failed, WrongUse, type Command, type World } from './command.types.js';
import { findMerchant } from './merchant.reading.js';
import { hintFor } from './nearest.word.js';
import { withEvents, type OpenedEvents } from './stores.opening.js';

const MOST = 1_000;
const PAGE = 100;
const ACTIONS = ['list', 'show'] as const;

const HELP = `Merchants, to look at.

Usage: npm run --silent tillstream -- merchants list [--limit COUNT] [--json]
       npm run --silent tillstream -- merchants show mer_… [--json]

  --limit COUNT   so many at most, the newest first; 1 to ${MOST}, left out: ${PAGE}
  --json          list: { "data": […], "hasMore" }; show always prints JSON: settings, payment methods, keys without secrets`;

const OPTIONS = { limit: 'text', json: 'flag' } as const;

interface MerchantRow {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly currencies: readonly string[];
  readonly createdAt: string;
}

export const merchantsCommand: Command = {
  summary: 'lists merchants, or shows one with its payment methods and keys',
  help: HELP,
  async run(args, world) {
    const { words, options } = readArguments(args, OPTIONS);
    const [action, ...more] = words;
    if (action === 'show') {
      if (options.limit !== undefined) throw new WrongUse('--limit means nothing to merchants show.');
      const [id = ''] = namedWords(more, ['mer_…']);
      if (!isMerchantId(id))
        throw new WrongUse('That is no id of a merchant; allowed is mer_ and 26 characters.');
      await withEvents(readConfig(world.environment), 'read', (events) => show(events, id, world));
      return EXIT.done;
    }
    if (action !== 'list') {
      const problem =
        action === undefined ? 'What to do with merchants is missing' : `merchants has no "${shown(action)}"`;
      throw new WrongUse(`${problem}; ${hintFor(action, ACTIONS)}`);
    }
    namedWords(more, []);
    const limit = limitOf(options.limit);
    const config = readConfig(world.environment);
    const { rows, hasMore } = await withEvents(config, 'read', (events) => listed(config, events, limit));
    if (options.json === true) world.terminal.line(JSON.stringify({ data: rows, hasMore }, null, 2));
    else printRows(world, rows, hasMore);
    return EXIT.done;
  },
};

function limitOf(typed: string | undefined): number {
  if (typed === undefined) return PAGE;
  const limit = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
  if (limit < 1 || limit > MOST)
    throw new WrongUse(`--limit is no number that is allowed; allowed are 1 to ${MOST}.`);
  return limit;
}

async function show({ store }: OpenedEvents, id: string, { terminal }: World): Promise<void> {
  const merchant = await findMerchant(store, id);
  const shape = {
    ...merchantShape(merchant),
    paymentMethods: merchant.paymentMethods.map(operatorPaymentMethod),
    apiKeys: merchant.apiKeys.map(apiKeyItem),
  };
  terminal.line(JSON.stringify(shape, null, 2));
}

/** From the list that the operators' API has, so that its cost does not grow with the merchants. */
async function listed(
  { dataDir }: Config,
  { store, name }: OpenedEvents,
  limit: number,
): Promise<{ readonly rows: readonly MerchantRow[]; readonly hasMore: boolean }> {
  const directory = join(dataDir, 'read-models');
  if (!isThere(directory))
    throw new Failed(`There are no lists in DATA_DIR "${dataDir}" yet; start the service once.`);
  const models = await openReadModels({ directory, store, source: name, keepDamaged: true });
  try {
    const rows: MerchantRow[] = [];
    let after: PageKey | null = null;
    do {
      const page = await models.queries.merchants.list({
        limit: Math.min(PAGE, limit - rows.length),
        ...(after && { after }),
      });
      rows.push(...page.items.map(({ body }) => JSON.parse(body) as MerchantRow));
      after = page.next;
    } while (after && rows.length < limit);
    return { rows, hasMore: after !== null };
  } finally {
    await models.stop();
  }
}

function printRows({ terminal }: World, rows: readonly MerchantRow[], hasMore: boolean): void {
  if (rows.length === 0) terminal.line('There is none.');
  for (const { id, name, status, currencies, createdAt } of rows) {
    terminal.line(
      `${id}  ${status.padEnd(8)}  ${currencies.join('+').padEnd(7)}  made ${createdAt}  ${name}`,
    );
  }
  if (hasMore) terminal.error(`There are more; --limit ${MOST} shows up to so many.`);
}
