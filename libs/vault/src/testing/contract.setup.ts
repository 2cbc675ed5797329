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
/** A function, because fast-check makes a map of all code points for it, and most specs that load this module draw none. */
export const anyText = (): fc.Arbitrary<string> => fc.string({ unit: 'binary', maxLength: 60 });
