import {
  ConfigError,
  locateVault,
  readConfig,
  StoreNotFound,
  type Config,
  type Terminal,
} from '@tillstream/platform';
import { MasterKeyError, VaultError, vaultStatus } from '@tillstream/vault';
import { rotate } from './rotate.command.js';
import { statusLines } from './status.report.js';

export interface VaultCommandWorld {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  /** Aborted with the name of the signal that came. */
  readonly signal: AbortSignal;
}

export const HELP = `Shows and exchanges the master key of the vault. The service may run meanwhile.

Usage: npm run --silent vault -- <command>

  status   the versions of the master key, how many subjects (cards, account holders) hang on each, how many were
           destroyed, whether a rotation is under way; needs no key
  rotate   wraps every key in the vault under a new master key
  --help   this

Where the vault is and what its keys are, is in the same settings as the service's: DATA_DIR, VAULT_MASTER_KEY,
VAULT_MASTER_KEY_FILE, from the environment or a file .env.

With the keys in a file (VAULT_MASTER_KEY_FILE, or vault.keys in DATA_DIR) rotate makes the new key, puts it first in
the file, and takes the old one out when nothing hangs on it any more.
With VAULT_MASTER_KEY it must have the new key first and the old one second (new,old). Before, start every process of
the service with both of them (old,new will do); after, with the new one alone.

Interrupted, by Ctrl-C or otherwise, the same command goes on where it stopped.

Exit code 0: done. 1: something in the vault is damaged and hangs on the old key still. 2: it could not be done.
130, 143: interrupted by SIGINT, SIGTERM.`;

/** The whole command but for the process around it. Gives the exit code. */
export async function vaultCommand(args: readonly string[], world: VaultCommandWorld): Promise<number> {
  const { terminal } = world;
  if (args.includes('--help') || args.includes('-h')) {
    terminal.line(HELP);
    return 0;
  }
  const [command, more] = args;
  if ((command !== 'status' && command !== 'rotate') || more !== undefined) {
    const problem =
      command === undefined
        ? 'The command is missing'
        : more === undefined
          ? `There is no command "${command}"`
          : `After "${command}" nothing more can follow`;
    terminal.error(`${problem}; allowed are status and rotate (see --help).`);
    return 2;
  }
  try {
    const config = readConfig(world.environment);
    return command === 'status' ? await status(config, terminal) : await rotate(config, world);
  } catch (error) {
    if (!isExpected(error)) throw error;
    terminal.error(error.message);
    return 2;
  }
}

async function status(config: Config, terminal: Terminal): Promise<number> {
  const { file } = await locateVault(config);
  const found = await vaultStatus(file);
  for (const line of found ? statusLines(file, found) : []) terminal.line(line);
  return 0;
}

function isExpected(error: unknown): error is Error {
  return [ConfigError, MasterKeyError, StoreNotFound, VaultError].some((kind) => error instanceof kind);
}
