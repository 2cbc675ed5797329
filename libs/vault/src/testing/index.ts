export { fileBytes, foundIn } from './file.bytes.js';
export { vaultContract, type VaultPlace } from './vault.contract.js';
