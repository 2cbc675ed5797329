import { cardBlock, cardOfBlock } from './card.block.js';
import { nameOfData, newDataKey } from './data.key.js';
import { boxed, unboxed } from './envelope.js';
import { openedText, sealedText } from './sealed.text.js';
import { checkSubject } from './subject.name.js';
import { VaultError, type Sealed, type Stored, type Vault } from './vault.port.js';

interface Held {
  readonly cardKey?: Buffer;
  readonly personalKey?: Buffer;
  readonly card?: Buffer;
}

/** What several vaults in memory may share, as processes share a file. */
export type VaultMemory = Map<string, Held | 'Destroyed'>;

/** A vault for tests and trials: it keeps the port's promises until the process ends, and has no master key. */
export function memoryVault(memory: VaultMemory = new Map()): Vault {
  return new MemoryVault(memory);
}

class MemoryVault implements Vault {
  private closed = false;

  constructor(private readonly memory: VaultMemory) {}

  async keepCard(subject: string, card: string): Promise<void> {
    const held = this.usable(subject);
    const { cardKey = newDataKey() } = held;
    const box = boxed(cardKey, cardBlock(card), nameOfData('Card', subject));
    this.memory.set(subject, { ...held, cardKey, card: box });
  }

  async openCard(subject: string): Promise<string | undefined> {
    const { cardKey, card } = this.held(subject) ?? {};
    const block = cardKey && card && unboxed(cardKey, card, nameOfData('Card', subject));
    return block && cardOfBlock(block);
  }

  async openStored(subject: string, sealed: Sealed | undefined): Promise<Stored> {
    const card = await this.openCard(subject);
    const [text] = sealed?.keyId === subject ? await this.open([sealed]) : [];
    return { card, text };
  }

  async seal(subject: string, text: string): Promise<Sealed> {
    const held = this.usable(subject);
    const { personalKey = newDataKey() } = held;
    this.memory.set(subject, { ...held, personalKey });
    return sealedText(personalKey, subject, text);
  }

  async open(sealed: readonly Sealed[]): Promise<readonly (string | undefined)[]> {
    return sealed.map((one) => {
      const key = this.held(one.keyId)?.personalKey;
      return key && openedText(key, one);
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
  private usable(subject: string): Held {
    checkSubject(subject);
    if (this.closed || this.memory.get(subject) !== 'Destroyed') return this.held(subject) ?? {};
    throw new VaultError('Destroyed', `The keys of ${subject} were destroyed; it can not be used again.`);
  }

  private held(subject: string): Held | undefined {
    if (this.closed) throw new VaultError('Unavailable', 'The vault can not be used: it is closed.');
    const held = this.memory.get(subject);
    return held === 'Destroyed' ? undefined : held;
  }
}
