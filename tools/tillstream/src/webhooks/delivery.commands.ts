import { WEBHOOK_DELIVERY_STATUSES, type WebhookDeliveryStatus } from '@tillstream/contracts';
import { EVENT_TYPES_OF, type WebhookEventType } from '@tillstream/domain';
import type { DeliveryListRequest, EndpointDeliveries, EndpointOf } from '@tillstream/webhook-delivery';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from '../command.types.js';
import {
  endpointAction,
  endpointOf,
  jsonOption,
  listOf,
  merchantOption,
  time,
  type EndpointOptions,
} from './endpoint.action.js';
import { idArgument } from './endpoint.commands.js';
import { countLine, deliveryLine, deliveryText, type DeliveryCounts } from './delivery.report.js';

const LIMIT_MAX = 1_000;
const LIMIT_DEFAULT = 25;
/** Deliveries are counted up to this number. */
const COUNT_MAX = 1_000_000;

interface ListOptions extends EndpointOptions {
  readonly status?: readonly WebhookDeliveryStatus[];
  readonly eventType?: readonly WebhookEventType[];
  readonly eventId?: string;
  readonly since?: number;
  readonly until?: number;
  readonly limit: number;
  readonly oldestFirst?: boolean;
  readonly count?: boolean;
}

interface TestOptions extends EndpointOptions {
  readonly eventType: WebhookEventType;
}

export function deliveryCommands(context: CommandContext): readonly Command[] {
  return [testCommand(context), listCommand(context), showCommand(context)];
}

function testCommand(context: CommandContext): Command {
  return new Command('test')
    .description('sends an example event to an endpoint')
    .addArgument(idArgument())
    .addOption(merchantOption)
    .addOption(
      new Option('--event-type <type>', 'its type').choices(EVENT_TYPES_OF.Managed).default('sale.completed'),
    )
    .addOption(jsonOption)
    .action(
      endpointAction(context, 'write', async (work, id: string, { eventType, json }: TestOptions) => {
        const sent = await (await work.deliveries()).test(endpointOf(work, id), eventType);
        const sentence = `${sent.id} waits to be sent; webhooks delivery ${id} ${sent.id} shows what became of it.`;
        context.terminal.line(json ? JSON.stringify(sent, null, 2) : sentence);
      }),
    );
}

function listCommand(context: CommandContext): Command {
  return new Command('deliveries')
    .description('the deliveries of an endpoint, newest first')
    .addArgument(idArgument())
    .addOption(merchantOption)
    .addOption(
      new Option('--status <statuses>', 'with commas between them').argParser(
        listOf(WEBHOOK_DELIVERY_STATUSES),
      ),
    )
    .addOption(
      new Option('--event-type <types>', 'with commas between them').argParser(
        listOf(EVENT_TYPES_OF.Managed),
      ),
    )
    .option('--event-id <evt_…>', 'of one event')
    .addOption(new Option('--since <time>', 'created then or later').argParser(time))
    .addOption(new Option('--until <time>', 'created before then').argParser(time))
    .addOption(
      new Option('--limit <number>', `1 to ${LIMIT_MAX}`).argParser(parseLimit).default(LIMIT_DEFAULT),
    )
    .option('--oldest-first', 'in the other order')
    .option('--count', 'only how many there are of each status')
    .addOption(jsonOption)
    .action(
      endpointAction(context, 'read', async (work, id: string, options: ListOptions) =>
        printDeliveries(context, await work.deliveries(), endpointOf(work, id), options),
      ),
    );
}

async function printDeliveries(
  { terminal }: CommandContext,
  deliveries: EndpointDeliveries,
  of: EndpointOf,
  { limit, oldestFirst, count, json, ...options }: ListOptions,
): Promise<void> {
  const filter = filterOf(options);
  if (count) {
    const counts = await countsOf(deliveries, of, filter);
    terminal.line(json ? JSON.stringify(counts, null, 2) : countLine(counts));
    return;
  }
  const order = oldestFirst ? 'OldestFirst' : 'NewestFirst';
  const { items, next } = await deliveries.list(of, { filter, after: undefined, limit, order });
  if (json) {
    terminal.line(JSON.stringify({ data: items, hasMore: next !== undefined }, null, 2));
    return;
  }
  if (items.length === 0) terminal.line('There is none.');
  for (const delivery of items) terminal.line(deliveryLine(delivery));
  if (next) terminal.error(`There are more; --limit ${LIMIT_MAX} shows up to so many.`);
}

function filterOf({
  status,
  eventType,
  eventId,
  since,
  until,
}: Pick<ListOptions, 'status' | 'eventType' | 'eventId' | 'since' | 'until'>): DeliveryListRequest['filter'] {
  return {
    ...(status && { status }),
    ...(eventType && { eventType }),
    ...(eventId !== undefined && { eventId: [eventId] }),
    ...(since !== undefined && { createdFrom: since }),
    // The store takes an inclusive end.
    ...(until !== undefined && { createdTo: until - 1 }),
  };
}

export async function countsOf(
  deliveries: EndpointDeliveries,
  of: EndpointOf,
  filter: DeliveryListRequest['filter'],
): Promise<DeliveryCounts> {
  const statuses = filter.status ?? WEBHOOK_DELIVERY_STATUSES;
  const counts: Partial<Record<WebhookDeliveryStatus, number>> = {};
  for (const status of statuses) {
    const request = { filter: { ...filter, status: [status] }, after: undefined, limit: 1 } as const;
    const { total } = await deliveries.list(of, { ...request, order: 'NewestFirst', totalMax: COUNT_MAX });
    counts[status] = total?.count ?? 0;
  }
  return counts;
}

function showCommand(context: CommandContext): Command {
  return new Command('delivery')
    .description('one delivery with its attempts')
    .addArgument(idArgument())
    .argument('<dlv_…>', 'id of the delivery')
    .addOption(merchantOption)
    .addOption(jsonOption)
    .action(
      endpointAction(
        context,
        'read',
        async (work, id: string, deliveryId: string, { json }: EndpointOptions) => {
          const found = await (await work.deliveries()).find(endpointOf(work, id), deliveryId);
          context.terminal.line(json ? JSON.stringify(found, null, 2) : deliveryText(found));
        },
      ),
    );
}

function parseLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > LIMIT_MAX) throw new InvalidArgumentError(`Allowed are 1 to ${LIMIT_MAX}.`);
  return limit;
}
