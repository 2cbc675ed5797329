export { vaultCommand, type VaultEnvironment } from './vault.command.js';
