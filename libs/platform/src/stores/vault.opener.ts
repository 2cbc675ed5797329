import { join } from 'node:path';
import {
  isNewVault,
  MasterKeyError,
  openSqliteVault,
  type MasterKeySource,
  type SqliteVault,
} from '@tillstream/vault';
import type { Config } from '../configuration/config.js';
import { withDamageCheck } from '../data-directory/damaged-file.check.js';
import type { Log } from '../logging/log.js';
import { pathExists } from '../files/path.stats.js';
import { MasterKeyFile } from './master-key.file.js';
import { ConfigError } from '../configuration/setting.kinds.js';
import { StoreNotFound } from './store.errors.js';

type VaultSettings = Pick<Config, 'mode' | 'dataDir' | 'vaultMasterKey' | 'vaultMasterKeyFile'>;

/** Where the vault is, and where its master keys come from. */
export interface VaultLocation {
  readonly file: string;
  readonly masterKeys: MasterKeySource;
  /** Where they are in a file. */
  readonly keyFile?: MasterKeyFile;
  /** Whether that file is the one that a first start makes. */
  readonly isOurs: boolean;
  /** What an operator would look at: the setting, or the file. */
  readonly name: string;
}

export interface OpenedVault {
  readonly vault: SqliteVault;
  /** The file of its master key, where it was made just now. */
  readonly createdKeyFile?: string;
}

/** @throws ConfigError in live mode where no master key is configured. */
export function vaultLocation(config: VaultSettings): VaultLocation {
  const { mode, dataDir, vaultMasterKey: keys, vaultMasterKeyFile: path } = config;
  const file = join(dataDir, 'vault.db');
  if (keys) return { file, masterKeys: () => keys, isOurs: false, name: 'VAULT_MASTER_KEY' };
  if (path !== undefined) {
    const name = `VAULT_MASTER_KEY_FILE "${path}"`;
    const keyFile = new MasterKeyFile(path, name);
    return { file, masterKeys: () => keyFile.read(), keyFile, isOurs: false, name };
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
 * For a command: where the vault is. Where there is none `events` is called, whose opening says whether it is lost. @throws
 * ConfigError where it is; StoreNotFound where no service made it yet
 */
export async function findVault(
  config: VaultSettings,
  events: () => Promise<unknown>,
): Promise<VaultLocation> {
  const place = vaultLocation(config);
  if (pathExists(place.file) && !isNewVault(place.file)) return place;
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
 * Opens the vault of the data directory; in sandbox mode the first start makes its master key. Rejects with a
 * `ConfigError` where the keys do not fit, and nothing is made or written then, as a new key could open nothing that is
 * there; likewise where the file is damaged. That it is not lost is `assertFilesNotLost`' to say before.
 */
export async function openVault(config: VaultSettings, log: Log): Promise<OpenedVault> {
  const place = vaultLocation(config);
  return withDamageCheck(place.file, () => openVaultAt(place, log));
}

async function openVaultAt(place: VaultLocation, log: Log): Promise<OpenedVault> {
  const createdKeyFile = createKeyFile(place);
  if (createdKeyFile !== undefined) {
    log.info('vault-key-made', {
      reason: `${createdKeyFile}: keep a copy of it, and not beside that of vault.db; without it no stored card can be opened`,
    });
  }
  try {
    const vault = await openSqliteVault(place);
    return { vault, ...(createdKeyFile !== undefined && { createdKeyFile }) };
  } catch (error) {
    if (!(error instanceof MasterKeyError)) throw error;
    throw new ConfigError(`${place.name} does not fit ${place.file}: ${error.message}`);
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
