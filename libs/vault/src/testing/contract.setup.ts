import fc from 'fast-check';
import type { Vault } from '../vault.port.js';

/** What the rules of the contract have of a test. */
export interface VaultContractTest {
  readonly vault: Vault;
  /** Another one of the same place; closed after the test. */
  another(): Promise<Vault>;
  /** A subject that nobody else has. */
  subject(): string;
  fileBytes(): ReadonlyMap<string, Buffer>;
}

export const CARD = '4761739001010119';
export const anyText = fc.string({ unit: 'binary', maxLength: 60 });
