import { hkdfSync } from 'node:crypto';
import type { SessionKeys } from '@tillstream/payments';
import type { MasterKeySource } from '@tillstream/vault';

const KEY_BYTES = 32;
const USE = 'tillstream hosted form: session ids';
/** A rotation of the master keys keeps the old ones for longer than this. */
const REFRESH_EVERY_MS = 10_000;

/**
 * The keys of session ids, derived from the vault's master keys, the current one first. So all instances have the same keys
 * without another setting.
 */
export function sessionKeysOf(masterKeys: MasterKeySource): SessionKeys {
  let keys: readonly Uint8Array[] = [];
  let refreshAt = -Infinity;
  return () => {
    const now = performance.now();
    if (now >= refreshAt) {
      keys = masterKeys().map((bytes) => new Uint8Array(hkdfSync('sha256', bytes, '', USE, KEY_BYTES)));
      refreshAt = now + REFRESH_EVERY_MS;
    }
    return keys;
  };
}
