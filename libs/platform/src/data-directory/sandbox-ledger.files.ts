import { readdirSync } from 'node:fs';
import type { Config } from '../configuration/config.js';

/** The file in the data directory with the books of a simulated processor of this process. */
export function ledgerFileName(processor: string): string {
  return processor === 'sandbox' ? 'sandbox.db' : `sandbox-${processor}.db`;
}

/** The simulated processors of the settings whose books are in the data directory. */
export function embeddedSandboxNames({
  sandbox,
  moreSandboxes = [],
}: Pick<Config, 'sandbox' | 'moreSandboxes'>): readonly string[] {
  const further = moreSandboxes.filter(({ url }) => url === undefined).map(({ name }) => name);
  return sandbox === 'embedded' ? ['sandbox', ...further] : further;
}

/** Books that lie in a data directory, whatever the settings say now. */
export function findLedgerFiles(dataDir: string): readonly string[] {
  try {
    return readdirSync(dataDir).filter((name) => /^sandbox(-[a-z0-9-]+)?\.db$/.test(name));
  } catch {
    return [];
  }
}
