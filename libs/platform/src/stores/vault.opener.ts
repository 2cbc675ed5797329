import { join } from 'node:path';
import { displayDatabase } from '@tillstream/postgres-driver/configuration';
import {
  isNewVault,
  MasterKeyError,
  openSqliteVault,
  type MasterKeySource,
  type RotatableVault,
} from '@tillstream/vault';
import type { Config } from '../configuration/config.js';
import { withDamageCheck } from '../data-directory/damaged-file.check.js';
import type { Log } from '../logging/log.js';
import type { SessionKeys } from '@tillstream/payments';
import { sessionKeysOf } from './session.keys.js';
import { pathExists } from '../files/path.stats.js';
import { MasterKeyFile } from './master-key.file.js';
import { ConfigError } from '../configuration/setting.kinds.js';
import { StoreNotFound } from './store-opening.context.js';

type VaultSettings = Pick<
  Config,
  'mode' | 'dataDir' | 'sharedStore' | 'database' | 'vaultMasterKey' | 'vaultMasterKeyFile'
>;

export interface VaultLocation {
  /** The file of the vault, or the name of the database that has it. */
  readonly file: string;
  readonly masterKeys: MasterKeySource;
  /** The file of the master keys, if they are in a file of this machine alone. */
  readonly keyFile?: MasterKeyFile;
  /** The key file is the one that the first start creates. */
  readonly isOurs: boolean;
  /** The setting or file of the keys, for messages. */
  readonly name: string;
}

export interface OpenedVault {
  readonly vault: RotatableVault;
  readonly sessionKeys: SessionKeys;
  /** The master key's file, if this opening created it. */
  readonly createdKeyFile?: string;
}

/** @throws ConfigError in live mode without a configured master key */
export function vaultLocation(config: VaultSettings): VaultLocation {
  const { mode, dataDir, vaultMasterKey: keys, vaultMasterKeyFile: path } = config;
  const isShared = config.sharedStore === 'postgres';
  const file = isShared ? displayDatabase(config.database.url ?? '') : join(dataDir, 'vault.db');
  if (keys) return { file, masterKeys: () => keys, isOurs: false, name: 'VAULT_MASTER_KEY' };
  if (path !== undefined) {
    const name = `VAULT_MASTER_KEY_FILE "${path}"`;
    const keyFile = new MasterKeyFile(path, name);
    // Every machine has a file of its own, which an operator changes.
    return { file, masterKeys: () => keyFile.read(), ...(!isShared && { keyFile }), isOurs: false, name };
  }
  if (mode === 'live') {
    throw new ConfigError(
      'VAULT_MASTER_KEY and VAULT_MASTER_KEY_FILE are missing, and MODE is "live"; set one of them.',
    );
  }
  const ours = join(dataDir, 'vault.keys');
  const keyFile = new MasterKeyFile(ours, ours);
  return { file, masterKeys: () => keyFile.read(), keyFile, isOurs: true, name: ours };
}

/**
 * The location of the vault, for a command.
 * @param events opens the events, which checks whether a missing vault is lost
 * @throws ConfigError if the vault is lost; StoreNotFound if no service has created it yet
 */
export async function findVault(
  config: VaultSettings,
  events: () => Promise<unknown>,
): Promise<VaultLocation> {
  const location = vaultLocation(config);
  if (pathExists(location.file) && !isNewVault(location.file)) return location;
  try {
    await events();
  } catch (error) {
    if (!(error instanceof StoreNotFound)) throw error;
  }
  throw new StoreNotFound(
    `There is no vault in DATA_DIR "${config.dataDir}" yet; the service's first start makes it.`,
  );
}

/**
 * Opens the vault of the data directory; in sandbox mode the first start creates its master key. Rejects with a
 * `ConfigError`, and writes nothing, if the keys do not match the vault or if the file is damaged. Call `assertFilesNotLost`
 * before.
 */
export async function openVault(config: VaultSettings, log: Log): Promise<OpenedVault> {
  const location = vaultLocation(config);
  return withDamageCheck(location.file, () => openVaultAt(location, log));
}

async function openVaultAt(location: VaultLocation, log: Log): Promise<OpenedVault> {
  const createdKeyFile = createKeyFile(location);
  if (createdKeyFile !== undefined) {
    log.info('vault-key-made', {
      reason: `${createdKeyFile}: keep a copy of it, and not beside that of vault.db; without it no stored card can be opened`,
    });
  }
  try {
    const vault = await openSqliteVault(location);
    const sessionKeys = sessionKeysOf(location.masterKeys);
    return {
      vault,
      sessionKeys,
      ...(createdKeyFile !== undefined && { createdKeyFile }),
    };
  } catch (error) {
    if (!(error instanceof MasterKeyError)) throw error;
    throw new ConfigError(`${location.name} does not fit ${location.file}: ${error.message}`);
  }
}

function createKeyFile({ file, keyFile, isOurs, name }: VaultLocation): string | undefined {
  if (!isOurs || keyFile === undefined || keyFile.exists()) return undefined;
  if (!isNewVault(file)) {
    throw new ConfigError(
      `${name} is missing, and ${file} can not be opened without the keys in it; restore it from a backup, or set VAULT_MASTER_KEY.`,
    );
  }
  return keyFile.create() ? keyFile.path : undefined;
}
