import { ConfigError, scrub, StoreNotFound } from '@tillstream/platform';
import { runProgram } from '@tillstream/platform/command-line';
import { EventStoreError } from '@tillstream/event-store';
import { AdminKeyRejected, ProvisioningRejected } from '@tillstream/payments';
import { VaultError } from '@tillstream/vault';
import { Command } from 'commander';
import { beginAnewCommand } from './begin-anew.command.js';
import { EXIT, Failed, type CommandContext } from './command.types.js';
import { delegatedCommands } from './delegated.commands.js';
import { exportCommand } from './export.command.js';
import { keysCommand } from './keys.command.js';
import { merchantsCommand } from './merchants.command.js';
import { statusCommand } from './status.command.js';

const HELP = `
Settings (DATA_DIR, EVENT_STORE, …) are read as the service reads them: from the environment, or a file .env.
Exit code 0: done. 1: it failed, or found something wrong. 2: wrong use, or wrong settings.`;

export function tillstreamProgram(context: CommandContext): Command {
  const program = new Command('npm run --silent tillstream --')
    .description("The operators' command line. The service may run meanwhile, or be stopped.")
    .enablePositionalOptions()
    .addHelpText('after', HELP);
  const commands = [
    statusCommand(context),
    keysCommand(context),
    merchantsCommand(context),
    exportCommand(context),
    ...delegatedCommands(context),
    beginAnewCommand(context),
  ];
  for (const command of commands) program.addCommand(command);
  return program;
}

/** Runs the command line. Returns the exit code. */
export async function tillstream(args: readonly string[], context: CommandContext): Promise<number> {
  const { terminal } = context;
  try {
    return await runProgram(tillstreamProgram(context), args, { terminal, redact: withoutSecrets });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof ConfigError) {
      terminal.error(message);
      return EXIT.wrongUse;
    }
    if (error instanceof EventStoreError && error.code === 'Unknown')
      terminal.error(
        `It is not known whether it was done; check before you repeat it: ${withoutSecrets(message)}`,
      );
    else
      terminal.error(
        EXPECTED.some((kind) => error instanceof kind) ? message : `It failed: ${withoutSecrets(message)}`,
      );
    return EXIT.failed;
  }
}

/** Errors whose message is a sentence for the operator. */
const EXPECTED = [Failed, StoreNotFound, AdminKeyRejected, ProvisioningRejected, VaultError];

/** Takes passwords of addresses, keys and long numbers out of a message. */
function withoutSecrets(message: string): string {
  return scrub(message.replace(/(\w+:\/\/)[^\s/]*@/g, '$1'));
}
