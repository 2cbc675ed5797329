import { ConfigError, scrub, StoreNotFound } from '@tillstream/platform';
import { EventStoreError } from '@tillstream/event-store';
import { AdminKeyRejected, ProvisioningRejected } from '@tillstream/payments';
import { VaultError } from '@tillstream/vault';
import { shown } from './arguments.js';
import { beginAnewCommand } from './begin-anew.command.js';
import { EXIT, Failed, WrongUse, type Command, type World } from './command.types.js';
import { rebuildCommand, vaultCommand, verifyCommand } from './delegated.commands.js';
import { exportCommand } from './export.command.js';
import { keysCommand } from './keys.command.js';
import { merchantsCommand } from './merchants.command.js';
import { hintFor } from './nearest.word.js';
import { statusCommand } from './status.command.js';

export const COMMANDS: Readonly<Record<string, Command>> = {
  status: statusCommand,
  keys: keysCommand,
  merchants: merchantsCommand,
  export: exportCommand,
  verify: verifyCommand,
  rebuild: rebuildCommand,
  vault: vaultCommand,
  'begin-anew': beginAnewCommand,
};

export const HELP = `The operators' command line. The service may run meanwhile, or be stopped.

Usage: npm run --silent tillstream -- <command> [--help]

${Object.entries(COMMANDS)
  .map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`)
  .join('\n')}

Settings (DATA_DIR, EVENT_STORE, …) are read as the service reads them: from the environment, or a file .env.
Exit code 0: done. 1: it failed, or found something wrong. 2: wrong use, or wrong settings.`;

/** The whole command line but for the process around it. Gives the exit code. */
export async function tillstream(args: readonly string[], world: World): Promise<number> {
  const { terminal } = world;
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || (name === 'help' && rest.length === 0)) {
    if (name === undefined) terminal.error(HELP);
    else terminal.line(HELP);
    return name === undefined ? EXIT.wrongUse : EXIT.done;
  }
  const asked = name === 'help' ? [...rest, '--help'] : args;
  const [command = '', ...more] = asked;
  try {
    const { help, run } = commandOf(command);
    if (help !== undefined && (more.includes('--help') || more.includes('-h'))) {
      terminal.line(help);
      return EXIT.done;
    }
    return await run(more, world);
  } catch (error) {
    return told(error, command, world);
  }
}

function commandOf(name: string): Command {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return command;
  throw new WrongUse(`There is no command "${shown(name)}"; ${hintFor(name, Object.keys(COMMANDS))}`);
}

/** One sentence for whatever went wrong. */
function told(error: unknown, command: string, { terminal }: World): number {
  terminal.progress?.('');
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof WrongUse) {
    const help = Object.hasOwn(COMMANDS, command) ? `${command} --help` : '--help';
    terminal.error(`${message} (See ${help}.)`);
    return EXIT.wrongUse;
  }
  if (error instanceof ConfigError) {
    terminal.error(message);
    return EXIT.wrongUse;
  }
  if (error instanceof EventStoreError && error.code === 'Unknown') {
    terminal.error(`It can not be told whether it was done, look before you repeat it: ${discreet(message)}`);
    return EXIT.failed;
  }
  terminal.error(
    EXPECTED.some((kind) => error instanceof kind) ? message : `It failed: ${discreet(message)}`,
  );
  return EXIT.failed;
}

const EXPECTED = [Failed, StoreNotFound, AdminKeyRejected, ProvisioningRejected, VaultError];

/** Of messages that are not ours: no password of an address, no key, no long number. */
function discreet(message: string): string {
  return scrub(message.replace(/(\w+:\/\/)[^\s/]*@/g, '$1'));
}
