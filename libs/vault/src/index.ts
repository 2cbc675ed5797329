export { LONGEST_CARD_BYTES } from './card.block.js';
export { MASTER_KEY_BYTES, MasterKeyError, type MasterKeySource } from './master.key.js';
export { memoryVault, type VaultMemory } from './memory.vault.js';
export { openSqliteVault, type SqliteVaultOptions } from './open-sqlite-vault.js';
export type { RotationOptions, RotationProgress, RotationResult, RotationState } from './rotation.js';
export type { SqliteVault } from './sqlite.vault.js';
export { isNewVault } from './vault.database.js';
export * from './vault.port.js';
export { vaultStatus, type VaultStatus, type VersionStatus } from './vault.status.js';
