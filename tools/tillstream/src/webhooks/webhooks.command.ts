import { EVENT_TYPES_OF } from '@tillstream/domain';
import { Command } from 'commander';
import type { CommandContext } from '../command.types.js';
import { deliveryCommands } from './delivery.commands.js';
import { endpointCommands } from './endpoint.commands.js';
import { replayCommand } from './replay.command.js';

const HELP = `
Managed endpoints (whe_…) are those that merchants can change by the API too; legacy ones (whl_…) are set up here or by the
operators' API only. A new secret is printed once, alone on stdout; --json prints the endpoint with it. The old secret of a
managed endpoint signs too for 24 h, that of a legacy one stops at once.
Types of events: ${EVENT_TYPES_OF.Managed.join(', ')}; legacy endpoints get those of transactions and tokens;
* is all but payment.returned.`;

export function webhooksCommand(context: CommandContext): Command {
  const webhooks = new Command('webhooks')
    .summary('webhook endpoints of a merchant, their deliveries, tests and replays')
    .description("Merchants' webhook endpoints, managed and legacy, and their deliveries.")
    .addHelpText('after', HELP);
  const commands = [...endpointCommands(context), ...deliveryCommands(context), replayCommand(context)];
  for (const command of commands) webhooks.addCommand(command);
  return webhooks;
}
