import { setTimeout as sleep } from 'node:timers/promises';
import { ProgressBar } from '@tillstream/platform/command-line';
import type { EndpointDeliveries, EndpointOf } from '@tillstream/webhook-delivery';
import { Command, Option } from 'commander';
import { Failed, type CommandContext } from '../command.types.js';
import { countsOf } from './delivery.commands.js';
import {
  endpointAction,
  endpointOf,
  jsonOption,
  merchantOption,
  time,
  type EndpointOptions,
} from './endpoint.action.js';
import { idArgument } from './endpoint.commands.js';

const WATCH_EVERY_MS = 500;

interface ReplayOptions extends EndpointOptions {
  readonly failedSince?: number;
  readonly from?: number;
  readonly to?: number;
  readonly wait?: boolean;
}

export function replayCommand(context: CommandContext): Command {
  return new Command('replay')
    .description('sends one delivery again, those that failed since a time, or all of a range of time')
    .addArgument(idArgument())
    .argument('[dlv_…]', 'id of one delivery')
    .addOption(merchantOption)
    .addOption(new Option('--failed-since <time>', 'those that are not delivered').argParser(time))
    .addOption(new Option('--from <time>', 'all that were created then or later …').argParser(time))
    .addOption(new Option('--to <time>', '… and before then').argParser(time))
    .option('--wait', 'waits until all of them were tried, and shows the progress')
    .addOption(jsonOption)
    .action(
      endpointAction(
        context,
        'write',
        async (work, id: string, deliveryId: string | undefined, options: ReplayOptions) => {
          const deliveries = await work.deliveries();
          const of = endpointOf(work, id);
          const range = rangeOf(deliveryId, options);
          if (range === undefined) {
            const replayed = await deliveries.replay(of, deliveryId ?? '');
            const sentence = `${replayed.id} waits to be sent again.`;
            context.terminal.line(options.json ? JSON.stringify(replayed, null, 2) : sentence);
            return;
          }
          await replayRange(context, deliveries, of, { ...range, wait: options.wait, json: options.json });
        },
      ),
    );
}

type Range = { readonly failedSince: number } | { readonly from: number; readonly to: number };

/** Undefined: one delivery. @throws Failed unless exactly one of the three forms is given */
function rangeOf(
  deliveryId: string | undefined,
  { failedSince, from, to }: Pick<ReplayOptions, 'failedSince' | 'from' | 'to'>,
): Range | undefined {
  const forms = [deliveryId, failedSince, from ?? to].filter((form) => form !== undefined);
  if (forms.length !== 1)
    throw new Failed('Give one of: the id of a delivery, --failed-since, or --from with --to.');
  if (deliveryId !== undefined) return undefined;
  if (failedSince !== undefined) return { failedSince };
  if (from === undefined || to === undefined) throw new Failed('--from and --to are given together.');
  if (to <= from) throw new Failed('--to is after --from.');
  return { from, to: to - 1 };
}

async function replayRange(
  { terminal }: CommandContext,
  deliveries: EndpointDeliveries,
  of: EndpointOf,
  {
    wait,
    json,
    ...range
  }: Range & { readonly wait: boolean | undefined; readonly json: boolean | undefined },
): Promise<void> {
  const progress = new ProgressBar(terminal, 'deliveries');
  try {
    progress.start('Replaying');
    const count = await deliveries.replayRange(of, range, (sofar) => progress.update(sofar));
    progress.stop();
    if (wait && count > 0) await waitForSent(progress, deliveries, of, { range, count });
    terminal.line(
      json ? JSON.stringify({ count }) : `${count} deliveries ${wait ? 'were tried' : 'are sent'} again.`,
    );
  } finally {
    progress.stop();
  }
}

/** Shows how many of the range still wait for their attempt, until none does. An interruption stops only the showing. */
async function waitForSent(
  progress: ProgressBar,
  deliveries: EndpointDeliveries,
  of: EndpointOf,
  { range, count }: { readonly range: Range; readonly count: number },
): Promise<void> {
  const created =
    'failedSince' in range
      ? { createdFrom: range.failedSince }
      : { createdFrom: range.from, createdTo: range.to };
  progress.start('Sending', count);
  for (;;) {
    const { Pending: waiting = 0 } = await countsOf(deliveries, of, { ...created, status: ['Pending'] });
    progress.update(Math.max(0, count - waiting));
    if (waiting === 0) return;
    await sleep(WATCH_EVERY_MS);
  }
}
