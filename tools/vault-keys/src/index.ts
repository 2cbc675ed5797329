export { HELP, vaultCommand, type VaultCommandWorld } from './vault.command.js';
