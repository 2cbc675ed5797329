import { newVaultFolder } from './sqlite-vaults.fixture.js';
import { vaultContract } from '../testing/index.js';

vaultContract('A SQLite file', newVaultFolder);
