import { ConfigError, scrub, StoreNotFound } from '@tillstream/platform';
import { action, runProgram } from '@tillstream/platform/command-line';
import { EventStoreError } from '@tillstream/event-store';
import { AdminKeyRejected, ProvisioningRejected, WebhookEndpointRejected } from '@tillstream/payments';
import { errorMessage } from '@tillstream/runtime';
import { VaultError } from '@tillstream/vault';
import { DeliveryRejected } from '@tillstream/webhook-delivery';
import { Command } from 'commander';
import { backupCommand } from './backup/backup.command.js';
import { restoreCommand } from './backup/restore.command.js';
import { resumeCommand } from './backup/resume.command.js';
import { beginAnewCommand } from './begin-anew.command.js';
import { EXIT, Failed, type CommandContext, type Tool } from './command.types.js';
import { exportCommand } from './export.command.js';
import { keysCommand } from './keys.command.js';
import { merchantsCommand } from './merchants.command.js';
import { projectionsCommand } from './projections/projections.command.js';
import { dailyFileCommand } from './reconciliation/daily-file.command.js';
import { reconcileCommand } from './reconciliation/reconcile.command.js';
import { removalsCommand } from './reconciliation/removals.command.js';
import { reportCommand } from './report/report.command.js';
import { restoreEventCommand } from './restore-event.command.js';
import { statusCommand } from './status.command.js';
import { webhooksCommand } from './webhooks/webhooks.command.js';

const HELP = `
Settings (DATA_DIR, EVENT_STORE, …) are read as the service reads them: from the environment, or a file .env.
Exit code 0: done. 1: it failed, or found something wrong. 2: wrong use, or wrong settings.`;

export function tillstreamProgram(context: CommandContext): Command {
  const program = new Command('npm run --silent tillstream --')
    .description("The operators' command line. The service may run or be stopped.")
    .enablePositionalOptions()
    .addHelpText('after', HELP);
  const commands = [
    statusCommand(context),
    keysCommand(context),
    merchantsCommand(context),
    webhooksCommand(context),
    exportCommand(context),
    reportCommand(context),
    projectionsCommand(context),
    ...DELEGATED.map((delegated) => delegatedCommand(context, delegated)),
    restoreEventCommand(context),
    backupCommand(context),
    restoreCommand(context),
    reconcileCommand(context),
    removalsCommand(context),
    resumeCommand(context),
    dailyFileCommand(context),
    beginAnewCommand(context),
  ];
  for (const command of commands) program.addCommand(command);
  return program;
}

const DELEGATED: readonly (readonly [name: string, tool: Tool, summary: string])[] = [
  ['verify', 'verify', 'checks the hash chain of every stream of events'],
  ['audit', 'audit', 'compares payments, settlements, fees, lists and the processor'],
  ['rebuild', 'rebuild', 'rebuilds lists from the events, or checks that they are equal'],
  ['vault', 'vault-keys', 'status of the vault, and exchange of its master key'],
];

/** A command that another tool parses and runs, `--help` included. */
function delegatedCommand(
  context: CommandContext,
  [name, tool, summary]: (typeof DELEGATED)[number],
): Command {
  return new Command(name)
    .summary(summary)
    .argument('[arguments...]')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(action((args: readonly string[]) => context.runTool(tool, args)));
}

/** Runs the command line. Returns the exit code. */
export async function tillstream(args: readonly string[], context: CommandContext): Promise<number> {
  const { terminal } = context;
  try {
    return await runProgram(tillstreamProgram(context), args, { terminal, redact: withoutSecrets });
  } catch (error) {
    terminal.error(errorText(error));
    return error instanceof ConfigError ? EXIT.wrongUse : EXIT.failed;
  }
}

/** Errors whose message is a sentence for the operator. */
const EXPECTED = [
  ConfigError,
  Failed,
  StoreNotFound,
  AdminKeyRejected,
  ProvisioningRejected,
  WebhookEndpointRejected,
  DeliveryRejected,
  VaultError,
];

function errorText(error: unknown): string {
  const message = errorMessage(error);
  if (EXPECTED.some((kind) => error instanceof kind)) return message;
  const isUnknown = error instanceof EventStoreError && error.code === 'Unknown';
  const what = isUnknown ? 'It is not known whether it was done; check before you repeat it' : 'It failed';
  return `${what}: ${withoutSecrets(message)}`;
}

/** Takes passwords of addresses, keys and long numbers out of a message. */
function withoutSecrets(message: string): string {
  return scrub(message.replace(/(\w+:\/\/)[^\s/]*@/g, '$1'));
}
