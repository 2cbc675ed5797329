import { encodeCardBlock, decodeCardBlock } from '../encryption/text.encoding.js';
import { encryptedDataContext, newDataKey } from '../encryption/data-key.js';
import { encryptBox, decryptBox } from '../encryption/encrypted-box.js';
import { openSealedText, sealText } from '../encryption/sealed-text.js';
import { checkSubject } from '../subject.name.js';
import { VaultError, type Sealed, type CardAndText, type Vault } from '../vault.port.js';

interface StoredSubject {
  readonly cardKey?: Buffer;
  readonly personalKey?: Buffer;
  readonly card?: Buffer;
}

/** Several vaults in memory may share one, as processes share a file. */
export type VaultMemory = Map<string, StoredSubject | 'Destroyed'>;

/** A vault for tests and trials. It has no master key, and its content ends with the process. */
export function memoryVault(memory: VaultMemory = new Map()): Vault {
  return new MemoryVault(memory);
}

class MemoryVault implements Vault {
  private closed = false;

  constructor(private readonly memory: VaultMemory) {}

  async storeCard(subject: string, card: string): Promise<void> {
    const stored = this.findUsable(subject);
    const { cardKey = newDataKey() } = stored;
    const box = encryptBox(cardKey, encodeCardBlock(card), encryptedDataContext('Card', subject));
    this.memory.set(subject, { ...stored, cardKey, card: box });
  }

  async openCard(subject: string): Promise<string | undefined> {
    const { cardKey, card } = this.find(subject) ?? {};
    const block = cardKey && card && decryptBox(cardKey, card, encryptedDataContext('Card', subject));
    return block && decodeCardBlock(block);
  }

  async openCardAndText(subject: string, sealed: Sealed | undefined): Promise<CardAndText> {
    const card = await this.openCard(subject);
    const [text] = sealed?.keyId === subject ? await this.open([sealed]) : [];
    return { card, text };
  }

  async seal(subject: string, text: string): Promise<Sealed> {
    const stored = this.findUsable(subject);
    const { personalKey = newDataKey() } = stored;
    this.memory.set(subject, { ...stored, personalKey });
    return sealText(personalKey, subject, text);
  }

  async open(sealed: readonly Sealed[]): Promise<readonly (string | undefined)[]> {
    return sealed.map((item) => {
      const key = this.find(item.keyId)?.personalKey;
      return key && openSealedText(key, item);
    });
  }

  async destroy(subject: string): Promise<void> {
    checkSubject(subject);
    const stored = this.find(subject);
    for (const bytes of [stored?.cardKey, stored?.personalKey, stored?.card]) bytes?.fill(0);
    this.memory.set(subject, 'Destroyed');
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  /** @throws VaultError, RangeError */
  private findUsable(subject: string): StoredSubject {
    checkSubject(subject);
    if (this.closed || this.memory.get(subject) !== 'Destroyed') return this.find(subject) ?? {};
    throw new VaultError('Destroyed', `The keys of ${subject} were destroyed; it can not be used again.`);
  }

  private find(subject: string): StoredSubject | undefined {
    if (this.closed) throw new VaultError('Unavailable', 'The vault can not be used: it is closed.');
    const stored = this.memory.get(subject);
    return stored === 'Destroyed' ? undefined : stored;
  }
}
