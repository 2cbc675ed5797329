import { encodeCardBlock, decodeCardBlock } from './encryption/card-block.js';
import { encryptedDataContext, newDataKey } from './encryption/data-key.js';
import { encryptBox, decryptBox } from './encryption/encrypted-box.js';
import { openSealedText, sealText } from './encryption/sealed-text.js';
import { checkSubject } from './subject.name.js';
import { VaultError, type Sealed, type CardAndText, type Vault } from './vault.port.js';

interface HeldSubject {
  readonly cardKey?: Buffer;
  readonly personalKey?: Buffer;
  readonly card?: Buffer;
}

/** What several vaults in memory may share, as processes share a file. */
export type VaultMemory = Map<string, HeldSubject | 'Destroyed'>;

/** A vault for tests and trials: it keeps the port's promises until the process ends, and has no master key. */
export function memoryVault(memory: VaultMemory = new Map()): Vault {
  return new MemoryVault(memory);
}

class MemoryVault implements Vault {
  private closed = false;

  constructor(private readonly memory: VaultMemory) {}

  async storeCard(subject: string, card: string): Promise<void> {
    const held = this.usable(subject);
    const { cardKey = newDataKey() } = held;
    const box = encryptBox(cardKey, encodeCardBlock(card), encryptedDataContext('Card', subject));
    this.memory.set(subject, { ...held, cardKey, card: box });
  }

  async openCard(subject: string): Promise<string | undefined> {
    const { cardKey, card } = this.held(subject) ?? {};
    const block = cardKey && card && decryptBox(cardKey, card, encryptedDataContext('Card', subject));
    return block && decodeCardBlock(block);
  }

  async openCardAndText(subject: string, sealed: Sealed | undefined): Promise<CardAndText> {
    const card = await this.openCard(subject);
    const [text] = sealed?.keyId === subject ? await this.open([sealed]) : [];
    return { card, text };
  }

  async seal(subject: string, text: string): Promise<Sealed> {
    const held = this.usable(subject);
    const { personalKey = newDataKey() } = held;
    this.memory.set(subject, { ...held, personalKey });
    return sealText(personalKey, subject, text);
  }

  async open(sealed: readonly Sealed[]): Promise<readonly (string | undefined)[]> {
    return sealed.map((one) => {
      const key = this.held(one.keyId)?.personalKey;
      return key && openSealedText(key, one);
    });
  }

  async destroy(subject: string): Promise<void> {
    checkSubject(subject);
    const held = this.held(subject);
    for (const bytes of [held?.cardKey, held?.personalKey, held?.card]) bytes?.fill(0);
    this.memory.set(subject, 'Destroyed');
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  /** @throws VaultError, RangeError */
  private usable(subject: string): HeldSubject {
    checkSubject(subject);
    if (this.closed || this.memory.get(subject) !== 'Destroyed') return this.held(subject) ?? {};
    throw new VaultError('Destroyed', `The keys of ${subject} were destroyed; it can not be used again.`);
  }

  private held(subject: string): HeldSubject | undefined {
    if (this.closed) throw new VaultError('Unavailable', 'The vault can not be used: it is closed.');
    const held = this.memory.get(subject);
    return held === 'Destroyed' ? undefined : held;
  }
}
