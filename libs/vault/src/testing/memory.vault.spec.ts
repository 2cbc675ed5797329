import { memoryVault, type VaultMemory } from './memory.vault.js';
import { vaultContract } from './vault.contract.js';

vaultContract('Memory', () => {
  const memory: VaultMemory = new Map();
  return { open: async () => memoryVault(memory), remove: () => memory.clear() };
});
