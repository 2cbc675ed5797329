import type { SessionKeys } from '@tillstream/payments';
import type { MasterKeySource } from '@tillstream/vault';
import { derivedKeys } from './derived.keys.js';

/** The keys of session ids, the current one first. */
export function sessionKeysOf(masterKeys: MasterKeySource): SessionKeys {
  return derivedKeys(masterKeys, 'tillstream hosted form: session ids');
}
