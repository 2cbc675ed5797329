import { foldMerchant, merchantCodec, merchantStream, type Merchant } from '@tillstream/domain';
import { readWholeStream, type EventStore } from '@tillstream/event-store';
import { fromRecorded } from '@tillstream/payments';
import { readConfig, withStores } from '@tillstream/platform';
import { action } from '@tillstream/platform/command-line';
import { apiKeyItem, merchantShape, operatorPaymentMethod } from '@tillstream/presentation';
import type { PageKey, ReadModels } from '@tillstream/read-models';
import { Command, InvalidArgumentError, Option } from 'commander';
import { merchantId } from './command.options.js';
import { EXIT, Failed, type CommandContext } from './command.types.js';

const MERCHANTS_MAX = 1_000;
const PAGE_MERCHANTS = 100;
const READ = { access: 'read' } as const;

interface MerchantRow {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly currencies: readonly string[];
  readonly createdAt: string;
}

export function merchantsCommand(context: CommandContext): Command {
  const { environment, terminal } = context;
  const merchants = new Command('merchants')
    .summary('lists merchants, or shows one with its payment methods and keys')
    .description('Lists and shows merchants.');
  merchants
    .command('list')
    .description('the newest merchants first')
    .addOption(
      new Option('--limit <count>', `merchants at most, 1 to ${MERCHANTS_MAX}`)
        .argParser(parseLimit)
        .default(PAGE_MERCHANTS),
    )
    .option('--json', '{ "data": […], "hasMore" }')
    .action(
      action(async ({ limit, json }: { readonly limit: number; readonly json?: boolean }) => {
        const { rows, hasMore } = await withStores(readConfig(environment), READ, async (stores) =>
          listMerchants(await stores.readModels(), limit),
        );
        if (json) terminal.line(JSON.stringify({ data: rows, hasMore }, null, 2));
        else printRows(context, rows, hasMore);
        return EXIT.done;
      }),
    );
  merchants
    .command('show')
    .description('a merchant as JSON: settings, payment methods, keys without secrets')
    .argument('<mer_…>', 'id of the merchant', merchantId)
    .addOption(new Option('--json').hideHelp())
    .action(
      action(async (id: string) => {
        const merchant = await withStores(readConfig(environment), READ, async (stores) =>
          findMerchant(await stores.events(), id),
        );
        const shape = {
          ...merchantShape(merchant),
          paymentMethods: merchant.paymentMethods.map(operatorPaymentMethod),
          apiKeys: merchant.apiKeys.map(apiKeyItem),
        };
        terminal.line(JSON.stringify(shape, null, 2));
        return EXIT.done;
      }),
    );
  return merchants;
}

/** @throws Failed if there is no such merchant */
export async function findMerchant(store: EventStore, id: string): Promise<Merchant> {
  const recorded = await readWholeStream(store, merchantStream(id));
  const merchant = foldMerchant(recorded.map((one) => fromRecorded(merchantCodec, one)));
  if (merchant.status === 'None') throw new Failed(`There is no merchant ${id}.`);
  return merchant;
}

function parseLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MERCHANTS_MAX)
    throw new InvalidArgumentError(`Allowed are 1 to ${MERCHANTS_MAX}.`);
  return limit;
}

/** Reads the list of the operators' API, so that the cost does not grow with the number of merchants. */
async function listMerchants(
  { queries }: ReadModels,
  limit: number,
): Promise<{ readonly rows: readonly MerchantRow[]; readonly hasMore: boolean }> {
  const rows: MerchantRow[] = [];
  let after: PageKey | null = null;
  do {
    const page = await queries.merchants.list({
      limit: Math.min(PAGE_MERCHANTS, limit - rows.length),
      ...(after && { after }),
    });
    rows.push(...page.items.map(({ body }) => JSON.parse(body) as MerchantRow));
    after = page.next;
  } while (after && rows.length < limit);
  return { rows, hasMore: after !== null };
}

function printRows({ terminal }: CommandContext, rows: readonly MerchantRow[], hasMore: boolean): void {
  if (rows.length === 0) terminal.line('There is none.');
  for (const { id, name, status, currencies, createdAt } of rows) {
    terminal.line(
      `${id}  ${status.padEnd(8)}  ${currencies.join('+').padEnd(7)}  made ${createdAt}  ${name}`,
    );
  }
  if (hasMore) terminal.error(`There are more; --limit ${MERCHANTS_MAX} shows up to so many.`);
}
