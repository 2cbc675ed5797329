import fc from 'fast-check';
import type { Vault } from '../vault.port.js';

/** The vault under test and its helpers. */
export interface VaultContractTest {
  readonly vault: Vault;
  /** Opens another vault on the same files. The suite closes it after the test. */
  another(): Promise<Vault>;
  /** A new subject name at each call. */
  subject(): string;
  fileBytes(): ReadonlyMap<string, Buffer>;
}

export const CARD = '4761739001010119';
export const anyText = fc.string({ unit: 'binary', maxLength: 60 });
