import { EVENT_TYPES_OF, type WebhookEndpoint, type WebhookEndpointStatus } from '@tillstream/domain';
import type { WebhookEndpointRegistry, WebhookEndpointWithSecret } from '@tillstream/payments';
import { createWebhookEndpoints, readConfig, withStores } from '@tillstream/platform';
import { action, type Terminal } from '@tillstream/platform/command-line';
import { webhookEndpointShape } from '@tillstream/presentation';
import { Command, InvalidArgumentError, Option } from 'commander';
import { actorOption, merchantId, operator } from './command.options.js';
import { EXIT, type CommandContext } from './command.types.js';
import { findMerchant } from './merchants.command.js';

const HELP = `
Legacy endpoints only: merchants manage their own by the API. A new secret is printed once, alone on stdout; --json prints the
endpoint with it. The old secret stops at once, since a legacy signature has room for one.
Types of events: ${EVENT_TYPES_OF.Legacy.join(', ')}; * is all but payment.returned.`;

interface EndpointOptions {
  readonly merchant: string;
  readonly json?: boolean;
  readonly actor?: string;
}

interface NewEndpointOptions extends EndpointOptions {
  readonly url: string;
  readonly eventTypes: readonly string[];
}

const merchantOption = new Option('--merchant <mer_…>', 'endpoints of this merchant')
  .argParser(merchantId)
  .makeOptionMandatory();
const jsonOption = new Option('--json', 'for a script');
const TEXTS: Readonly<Record<WebhookEndpointStatus, string>> = {
  Enabled: 'is enabled; it gets the events from now on',
  Disabled: 'is disabled; its pending retries stop',
};

export function webhooksCommand(context: CommandContext): Command {
  const webhooks = new Command('webhooks')
    .summary('lists, creates, disables, enables, rotates and deletes legacy webhook endpoints')
    .description("Merchants' legacy webhook endpoints.")
    .addHelpText('after', HELP);
  const commands = [
    listCommand(context),
    createCommand(context),
    statusCommand(context, 'disable', 'Disabled'),
    statusCommand(context, 'enable', 'Enabled'),
    rotateCommand(context),
    deleteCommand(context),
  ];
  for (const command of commands) webhooks.addCommand(command);
  return webhooks;
}

/** Makes a commander action that runs with the endpoints of a merchant that exists. */
function endpointAction<Args extends unknown[]>(
  { environment }: CommandContext,
  access: 'read' | 'write',
  merchantOf: (...args: Args) => string,
  run: (endpoints: WebhookEndpointRegistry, ...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  return action(async (...args: Args) => {
    const config = readConfig(environment);
    await withStores(config, { access }, async (stores) => {
      const store = await stores.events();
      await findMerchant(store, merchantOf(...args));
      const { vault } = await stores.vault();
      await run(createWebhookEndpoints(config, { store, clock: await stores.clock(), vault }), ...args);
    });
    return EXIT.done;
  });
}

const ofOptions = ({ merchant }: EndpointOptions): string => merchant;
const ofEndpoint = (_id: string, { merchant }: EndpointOptions): string => merchant;

function requestOf(context: CommandContext, { merchant, actor }: EndpointOptions) {
  return { actor: operator(actor, context), merchantId: merchant, method: 'Legacy' } as const;
}

function listCommand(context: CommandContext): Command {
  return new Command('list')
    .description('the legacy endpoints of a merchant')
    .addOption(merchantOption)
    .addOption(jsonOption)
    .action(
      endpointAction(context, 'read', ofOptions, async (endpoints, { merchant, json }: EndpointOptions) => {
        const listed = await endpoints.list(merchant, 'Legacy');
        printEndpoints(context.terminal, listed, json);
      }),
    );
}

function createCommand(context: CommandContext): Command {
  return new Command('create')
    .description('makes an endpoint with a new secret')
    .addOption(merchantOption)
    .requiredOption('--url <address>', 'where the events are sent')
    .addOption(
      new Option('--event-types <types>', 'with commas between them')
        .argParser(parseTypes)
        .default(['*'], 'all but payment.returned'),
    )
    .addOption(actorOption)
    .addOption(jsonOption)
    .action(
      endpointAction(context, 'write', ofOptions, async (endpoints, options: NewEndpointOptions) => {
        const { url, eventTypes, json } = options;
        const created = await endpoints.create(requestOf(context, options), { url, eventTypes });
        printSecret(context.terminal, created, json);
      }),
    );
}

function statusCommand(context: CommandContext, name: string, status: WebhookEndpointStatus): Command {
  const changed = async (
    endpoints: WebhookEndpointRegistry,
    id: string,
    options: EndpointOptions,
  ): Promise<void> => {
    const endpoint = await endpoints.change(requestOf(context, options), id, { status });
    printEndpoint(context.terminal, endpoint, `${id} ${TEXTS[status]}.`, options.json);
  };
  return new Command(name)
    .description(status === 'Enabled' ? 'sends to an endpoint again' : 'stops sending to an endpoint')
    .argument('<whl_…>', 'id of the endpoint')
    .addOption(merchantOption)
    .addOption(actorOption)
    .addOption(jsonOption)
    .action(endpointAction(context, 'write', ofEndpoint, changed));
}

function rotateCommand(context: CommandContext): Command {
  return new Command('rotate')
    .description('exchanges the secret of an endpoint; the old one stops at once')
    .argument('<whl_…>', 'id of the endpoint')
    .addOption(merchantOption)
    .addOption(actorOption)
    .addOption(jsonOption)
    .action(
      endpointAction(
        context,
        'write',
        ofEndpoint,
        async (endpoints, id: string, options: EndpointOptions) => {
          printSecret(
            context.terminal,
            await endpoints.rotateSecret(requestOf(context, options), id),
            options.json,
          );
        },
      ),
    );
}

function deleteCommand(context: CommandContext): Command {
  return new Command('delete')
    .description('deletes an endpoint')
    .argument('<whl_…>', 'id of the endpoint')
    .addOption(merchantOption)
    .addOption(actorOption)
    .addOption(jsonOption)
    .action(
      endpointAction(
        context,
        'write',
        ofEndpoint,
        async (endpoints, id: string, options: EndpointOptions) => {
          const endpoint = await endpoints.delete(requestOf(context, options), id);
          printEndpoint(
            context.terminal,
            endpoint,
            `${id} is deleted; it gets no more events.`,
            options.json,
          );
        },
      ),
    );
}

function parseTypes(text: string): readonly string[] {
  const types = text.split(',').map((type) => type.trim());
  const allowed: readonly string[] = ['*', ...EVENT_TYPES_OF.Legacy];
  const unknown = types.filter((type) => !allowed.includes(type));
  if (unknown.length === 0) return types;
  throw new InvalidArgumentError(`Allowed are ${allowed.join(', ')}.`);
}

function printEndpoints(
  terminal: Terminal,
  endpoints: readonly WebhookEndpoint[],
  json: boolean | undefined,
): void {
  if (json) return terminal.line(JSON.stringify({ data: endpoints.map(webhookEndpointShape) }, null, 2));
  if (endpoints.length === 0) terminal.line('There is none.');
  for (const { id, url, eventTypes, status, disabledReason, createdAt } of endpoints) {
    const reason = disabledReason === undefined ? '' : ` (${disabledReason})`;
    terminal.line(`${id}  ${status}${reason}  ${url}  ${eventTypes.join(',')}  made ${createdAt}`);
  }
}

function printEndpoint(
  terminal: Terminal,
  endpoint: WebhookEndpoint,
  sentence: string,
  json: boolean | undefined,
): void {
  terminal.line(json ? JSON.stringify(webhookEndpointShape(endpoint), null, 2) : sentence);
}

/** Prints the secret, which is shown here only. */
function printSecret(
  terminal: Terminal,
  { endpoint, secret }: WebhookEndpointWithSecret,
  json: boolean | undefined,
): void {
  if (json) return terminal.line(JSON.stringify({ ...webhookEndpointShape(endpoint), secret }, null, 2));
  terminal.error(
    `${endpoint.id} gets its events at ${endpoint.url}. Keep its secret: it is shown only here.`,
  );
  terminal.line(secret);
}
