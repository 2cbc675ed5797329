export { memoryVault } from './memory.vault.js';
export { fileBytes, foundIn } from './file.bytes.js';
export { vaultContract, type VaultPlace } from './vault.contract.js';
