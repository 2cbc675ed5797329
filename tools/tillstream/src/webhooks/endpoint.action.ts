import {
  ALL_EVENT_TYPES,
  EVENT_TYPES_OF,
  isId,
  WEBHOOK_ENDPOINT_PREFIX,
  type Merchant,
  type WebhookMethod,
} from '@tillstream/domain';
import type { WebhookEndpointRegistry, WebhookEndpointRequest } from '@tillstream/payments';
import { createWebhookEndpoints, openEndpointDeliveries, readConfig, withStores } from '@tillstream/platform';
import { action } from '@tillstream/platform/command-line';
import type { EndpointDeliveries, EndpointOf } from '@tillstream/webhook-delivery';
import { InvalidArgumentError, Option } from 'commander';
import { merchantId, operator } from '../command.options.js';
import { EXIT, type CommandContext } from '../command.types.js';
import { findMerchant } from '../merchants.command.js';

/* What all commands of webhook endpoints have. */

export interface EndpointOptions {
  readonly merchant: string;
  readonly json?: boolean;
  readonly actor?: string;
}

export const merchantOption = new Option('--merchant <mer_…>', 'endpoints of this merchant')
  .argParser(merchantId)
  .makeOptionMandatory();
export const jsonOption = new Option('--json', 'for a script');

/** What a command works on: a merchant that exists, its endpoints, and their deliveries. */
export interface EndpointWork {
  readonly merchant: Merchant;
  readonly endpoints: WebhookEndpointRegistry;
  deliveries(): Promise<EndpointDeliveries>;
}

/** Makes a commander action. Commander calls it with the arguments, the options, and the command itself. */
export function endpointAction<Args extends unknown[]>(
  { environment }: CommandContext,
  access: 'read' | 'write',
  run: (work: EndpointWork, ...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  return action(async (...args: Args) => {
    const config = readConfig(environment);
    const { merchant: id } = args.at(-2) as EndpointOptions;
    await withStores(config, { access }, async (stores) => {
      const store = await stores.events();
      const merchant = await findMerchant(store, id);
      const { vault } = await stores.vault();
      const endpoints = createWebhookEndpoints(config, { store, clock: await stores.clock(), vault });
      const deliveries = () => openEndpointDeliveries(config, stores, endpoints);
      await run({ merchant, endpoints, deliveries }, ...args);
    });
    return EXIT.done;
  });
}

/** Who changes which kind of endpoint. The id of an endpoint says its method. */
export function requestOf(
  context: CommandContext,
  { merchant, actor }: EndpointOptions,
  method: WebhookMethod,
): WebhookEndpointRequest {
  return { actor: operator(actor, context), merchantId: merchant, method };
}

export const methodOf = (endpointId: string): WebhookMethod =>
  isId(WEBHOOK_ENDPOINT_PREFIX.Legacy, endpointId) ? 'Legacy' : 'Managed';

export function endpointId(text: string): string {
  if (Object.values(WEBHOOK_ENDPOINT_PREFIX).some((prefix) => isId(prefix, text))) return text;
  throw new InvalidArgumentError(
    'That is no id of a webhook endpoint; allowed is whe_ or whl_ and 26 characters.',
  );
}

/** Names with commas between them. */
export function listOf(allowed: readonly string[]): (text: string) => readonly string[] {
  return (text) => {
    const names = text.split(',').map((name) => name.trim());
    if (names.every((name) => allowed.includes(name))) return names;
    throw new InvalidArgumentError(`Allowed are ${allowed.join(', ')}.`);
  };
}

export const eventTypes = listOf([ALL_EVENT_TYPES, ...EVENT_TYPES_OF.Managed]);

export const endpointOf = ({ merchant }: EndpointWork, endpointId: string): EndpointOf => ({
  merchantId: merchant.id,
  endpointId,
});

export function time(text: string): number {
  const ms = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(ms))
    throw new InvalidArgumentError('Allowed is a time such as 2026-08-03T12:00:00Z, or a day in UTC.');
  return ms;
}
