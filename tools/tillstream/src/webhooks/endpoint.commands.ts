import type { WebhookEndpoint, WebhookEndpointStatus, WebhookMethod } from '@tillstream/domain';
import type { WebhookEndpointWithSecret } from '@tillstream/payments';
import type { Terminal } from '@tillstream/platform/command-line';
import { webhookEndpointShape } from '@tillstream/presentation';
import { Argument, Command, Option } from 'commander';
import { actorOption, storedText } from '../command.options.js';
import { Failed, type CommandContext } from '../command.types.js';
import {
  endpointAction,
  endpointId,
  eventTypes,
  jsonOption,
  merchantOption,
  methodOf,
  requestOf,
  type EndpointOptions,
} from './endpoint.action.js';

const DESCRIPTION_CHARACTERS_MAX = 100;
const METHODS = { managed: 'Managed', legacy: 'Legacy' } as const satisfies Record<string, WebhookMethod>;

interface MethodOptions extends EndpointOptions {
  readonly method?: keyof typeof METHODS;
}

interface NewEndpointOptions extends MethodOptions {
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly description?: string;
}

interface ChangeOptions extends EndpointOptions {
  readonly url?: string;
  readonly eventTypes?: readonly string[];
  readonly description?: string;
}

const TEXTS: Readonly<Record<WebhookEndpointStatus, string>> = {
  Enabled: 'is enabled; it gets the events from now on',
  Disabled: 'is disabled; its pending retries stop',
};

export const idArgument = (): Argument => new Argument('<whe_…>', 'id of the endpoint').argParser(endpointId);
const methodOption = (): Option =>
  new Option('--method <method>', 'the kind of endpoint').choices(Object.keys(METHODS));
const typesOption = (): Option =>
  new Option('--event-types <types>', 'with commas between them').argParser(eventTypes);
const descriptionOption = (): Option =>
  new Option('--description <text>', 'a name for people').argParser(storedText(DESCRIPTION_CHARACTERS_MAX));

export function endpointCommands(context: CommandContext): readonly Command[] {
  return [
    listCommand(context),
    createCommand(context),
    changeCommand(context),
    statusCommand(context, 'disable', 'Disabled'),
    statusCommand(context, 'enable', 'Enabled'),
    rotateCommand(context),
    deleteCommand(context),
  ];
}

function listCommand({ terminal, ...context }: CommandContext): Command {
  return new Command('list')
    .description('the endpoints of a merchant')
    .addOption(merchantOption)
    .addOption(methodOption())
    .addOption(jsonOption)
    .action(
      endpointAction(
        { terminal, ...context },
        'read',
        async ({ endpoints }, { merchant, method, json }: MethodOptions) => {
          const methods = method ? [METHODS[method]] : Object.values(METHODS);
          const listed = await Promise.all(methods.map((one) => endpoints.list(merchant, one)));
          printEndpoints(terminal, listed.flat(), json);
        },
      ),
    );
}

function createCommand(context: CommandContext): Command {
  return new Command('create')
    .description('makes an endpoint with a new secret')
    .addOption(merchantOption)
    .addOption(methodOption().default('legacy'))
    .requiredOption('--url <address>', 'where the events are sent')
    .addOption(typesOption().default(['*'], 'all but payment.returned'))
    .addOption(descriptionOption())
    .addOption(actorOption)
    .addOption(jsonOption)
    .action(
      endpointAction(context, 'write', async ({ endpoints, merchant }, options: NewEndpointOptions) => {
        const { url, eventTypes: types, description, json, method = 'legacy' } = options;
        if (method === 'managed' && !merchant.managedWebhooks)
          throw new Failed(`${merchant.id} has no managed webhooks; an operator can set managedWebhooks.`);
        const created = await endpoints.create(requestOf(context, options, METHODS[method]), {
          ...{ url, eventTypes: types },
          ...(description !== undefined && { description }),
        });
        printSecret(context.terminal, created, json);
      }),
    );
}

function changeCommand(context: CommandContext): Command {
  return new Command('change')
    .description('changes an endpoint; what is left out stays')
    .addArgument(idArgument())
    .addOption(merchantOption)
    .option('--url <address>', 'where the events are sent')
    .addOption(typesOption())
    .addOption(descriptionOption())
    .addOption(actorOption)
    .addOption(jsonOption)
    .action(
      endpointAction(context, 'write', async ({ endpoints }, id: string, options: ChangeOptions) => {
        const { url, eventTypes: types, description, json } = options;
        const change = {
          ...(url !== undefined && { url }),
          ...(types && { eventTypes: types }),
          ...(description !== undefined && { description }),
        };
        if (Object.keys(change).length === 0)
          throw new Failed('Nothing to change: give --url, --event-types or --description.');
        const endpoint = await endpoints.change(requestOf(context, options, methodOf(id)), id, change);
        printEndpoint(context.terminal, endpoint, `${id} is changed.`, json);
      }),
    );
}

function statusCommand(context: CommandContext, name: string, status: WebhookEndpointStatus): Command {
  return new Command(name)
    .description(status === 'Enabled' ? 'sends to an endpoint again' : 'stops sending to an endpoint')
    .addArgument(idArgument())
    .addOption(merchantOption)
    .addOption(actorOption)
    .addOption(jsonOption)
    .action(
      endpointAction(context, 'write', async ({ endpoints }, id: string, options: EndpointOptions) => {
        const request = requestOf(context, options, methodOf(id));
        const endpoint = await endpoints.change(request, id, { status });
        printEndpoint(context.terminal, endpoint, `${id} ${TEXTS[status]}.`, options.json);
      }),
    );
}

function rotateCommand(context: CommandContext): Command {
  return new Command('rotate')
    .description('exchanges the secret; of a managed endpoint the old one signs too for 24 h')
    .addArgument(idArgument())
    .addOption(merchantOption)
    .addOption(actorOption)
    .addOption(jsonOption)
    .action(
      endpointAction(context, 'write', async ({ endpoints }, id: string, options: EndpointOptions) => {
        const rotated = await endpoints.rotateSecret(requestOf(context, options, methodOf(id)), id);
        printSecret(context.terminal, rotated, options.json);
      }),
    );
}

function deleteCommand(context: CommandContext): Command {
  return new Command('delete')
    .description('deletes an endpoint and its deliveries')
    .addArgument(idArgument())
    .addOption(merchantOption)
    .addOption(actorOption)
    .addOption(jsonOption)
    .action(
      endpointAction(context, 'write', async ({ endpoints }, id: string, options: EndpointOptions) => {
        const endpoint = await endpoints.delete(requestOf(context, options, methodOf(id)), id);
        printEndpoint(context.terminal, endpoint, `${id} is deleted; it gets no more events.`, options.json);
      }),
    );
}

function printEndpoints(
  terminal: Terminal,
  endpoints: readonly WebhookEndpoint[],
  json: boolean | undefined,
): void {
  if (json) return terminal.line(JSON.stringify({ data: endpoints.map(webhookEndpointShape) }, null, 2));
  if (endpoints.length === 0) terminal.line('There is none.');
  for (const { id, url, eventTypes: types, status, disabledReason, createdAt, description } of endpoints) {
    const reason = disabledReason === undefined ? '' : ` (${disabledReason})`;
    const name = description === undefined ? '' : `  ${description}`;
    terminal.line(`${id}  ${status}${reason}  ${url}  ${types.join(',')}  made ${createdAt}${name}`);
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
