export { HELP, vaultCommand, type Terminal, type VaultCommandWorld } from './vault.command.js';
