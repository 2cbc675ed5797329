import { readdirSync } from 'node:fs';
import type { Config } from '../configuration/config.js';

/** The ledger file of a sandbox in this process. */
export function ledgerFileName(processor: string): string {
  return processor === 'sandbox' ? 'sandbox.db' : `sandbox-${processor}.db`;
}

/** The configured sandboxes with a ledger in the data directory. */
export function embeddedSandboxNames({
  sandbox,
  moreSandboxes = [],
}: Pick<Config, 'sandbox' | 'moreSandboxes'>): readonly string[] {
  const further = moreSandboxes.filter(({ url }) => url === undefined).map(({ name }) => name);
  return sandbox === 'embedded' ? ['sandbox', ...further] : further;
}

/** All ledger files in a data directory, also those of sandboxes that are no longer configured. */
export function findLedgerFiles(dataDir: string): readonly string[] {
  try {
    return readdirSync(dataDir).filter((name) => /^sandbox(-[a-z0-9-]+)?\.db$/.test(name));
  } catch {
    return [];
  }
}
