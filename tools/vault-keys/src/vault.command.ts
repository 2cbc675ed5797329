import { ConfigError, readConfig, StoreNotFound, withStores, type Config } from '@tillstream/platform';
import { action, runProgram, type Terminal } from '@tillstream/platform/command-line';
import { MasterKeyError, VaultError } from '@tillstream/vault';
import { Command } from 'commander';
import { rotate } from './rotate.command.js';
import { statusLines } from './status.report.js';

export interface VaultEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** Aborted with the name of the signal. */
  readonly signal: AbortSignal;
}

const HELP = `
The vault and its keys are where the settings of the service say: DATA_DIR, VAULT_MASTER_KEY, VAULT_MASTER_KEY_FILE, from the
environment or a file .env.

If the keys are in a file (VAULT_MASTER_KEY_FILE, or vault.keys in DATA_DIR), rotate makes the new key, puts it first in the
file, and takes the old one out when no subject uses it any more.
VAULT_MASTER_KEY must have the new key first and the old one second (new,old), and with SHARED_STORE=postgres
VAULT_MASTER_KEY_FILE too, on every machine. Before the rotation start every process of
the service with both of them (old,new will do); after it, with the new one alone.

After an interruption, by Ctrl-C or otherwise, the same command continues where it stopped.

Exit code 0: done. 1: a damaged subject in the vault still uses the old key. 2: it could not be done.
130, 143: interrupted by SIGINT, SIGTERM.`;

/** Returns the exit code. */
export async function vaultCommand(args: readonly string[], environment: VaultEnvironment): Promise<number> {
  const { terminal } = environment;
  const program = new Command('npm run --silent vault --')
    .description('Shows and exchanges the master key of the vault. The service may keep running.')
    .addHelpText('after', HELP);
  program
    .command('status')
    .description(
      'versions of the master key, how many subjects (cards, account holders) use each, how many were destroyed, whether a rotation is under way; needs no key',
    )
    .action(action(() => reported(environment, (config) => status(config, terminal))));
  program
    .command('rotate')
    .description('wraps every key in the vault under a new master key')
    .action(action(() => reported(environment, (config) => rotate(config, environment))));
  return runProgram(program, args, { terminal });
}

/** Reports an error that an operator can mend in one sentence. */
async function reported(
  { environment, terminal }: VaultEnvironment,
  run: (config: Config) => Promise<number>,
): Promise<number> {
  try {
    return await run(readConfig(environment));
  } catch (error) {
    if (!isExpected(error)) throw error;
    terminal.error(error.message);
    return 2;
  }
}

async function status(config: Config, terminal: Terminal): Promise<number> {
  const { place, status: found } = await withStores(config, { access: 'read' }, (stores) =>
    stores.vaultStatus(),
  );
  for (const line of found ? statusLines(place, found) : []) terminal.line(line);
  return 0;
}

function isExpected(error: unknown): error is Error {
  return [ConfigError, MasterKeyError, StoreNotFound, VaultError].some((kind) => error instanceof kind);
}
