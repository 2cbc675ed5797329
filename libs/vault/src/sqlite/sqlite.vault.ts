import { setImmediate } from 'node:timers/promises';
import { ReadQueue } from '@tillstream/sqlite-driver';
import { encodeCardBlock, decodeCardBlock } from '../encryption/text.encoding.js';
import { encryptedDataContext } from '../encryption/data-key.js';
import { encryptBox, decryptBox } from '../encryption/encrypted-box.js';
import type { Keyring } from '../keys/keyring.js';
import type { KeyVersions } from '../keys/key-versions.js';
import { retryWhileBusy, unavailableError } from './busy.retry.js';
import {
  rotateKeys,
  rotationState,
  type RotationOptions,
  type RotationResult,
  type RotationState,
} from '../keys/rotation.js';
import { openSealedText, sealText } from '../encryption/sealed-text.js';
import { checkSubject, isSubject } from '../subject.name.js';
import { damagedError, SubjectKeys } from './subject.keys.js';
import { DESTROYED, SubjectRows, tombstone, type SubjectRow } from './subject.rows.js';
import type { VaultDatabase } from './vault.database.js';
import type { Sealed, CardAndText, Vault } from '../vault.port.js';
import { WriteQueue } from './write.queue.js';

/** Texts that are opened before the event loop takes its next turn. */
const TEXTS_PER_TURN = 100;

/** A vault in one file, which several processes may open. */
export class SqliteVault implements Vault {
  private readonly rows: SubjectRows;
  private readonly keys: SubjectKeys;
  private readonly queue: WriteQueue;
  private readonly readings: ReadQueue;
  private closed: Promise<void> | undefined;

  constructor(
    private readonly database: VaultDatabase,
    private readonly versions: KeyVersions,
    private readonly keyring: Keyring,
  ) {
    this.rows = new SubjectRows(database);
    this.keys = new SubjectKeys(this.rows, keyring);
    this.queue = new WriteQueue(database);
    this.readings = new ReadQueue(
      (work) => database.inSnapshot(work),
      (work) => this.read(work),
    );
  }

  async storeCard(subject: string, card: string): Promise<void> {
    checkSubject(subject);
    const block = encodeCardBlock(card);
    await this.write(() => {
      const { row, key } = this.keys.findOrMake(subject, 'Card');
      this.rows.overwrite({ ...row, card: encryptBox(key, block, encryptedDataContext('Card', subject)) });
      key.fill(0);
    }).finally(() => block.fill(0));
  }

  async openCard(subject: string): Promise<string | undefined> {
    if (!isSubject(subject)) return undefined;
    return this.read(() => {
      const found = this.keys.find(subject, 'Card');
      return found && decryptCard(found.row, found.key);
    });
  }

  async openCardAndText(subject: string, sealed: Sealed | undefined): Promise<CardAndText> {
    if (!isSubject(subject)) return { card: undefined, text: undefined };
    if (this.closed) throw unavailableError('it is closed');
    return this.readings.run(() => {
      const found = this.keys.findAll(subject, ['Card', 'Personal']);
      if (found === undefined) return { card: undefined, text: undefined };
      const { Card, Personal } = found.keys;
      const text = sealed && Personal && openSealedText(Personal, sealed);
      Personal?.fill(0);
      return { card: Card && decryptCard(found.row, Card), text };
    });
  }

  async seal(subject: string, text: string): Promise<Sealed> {
    checkSubject(subject);
    const known = await this.read(() => this.keys.find(subject, 'Personal')?.key);
    const key = known ?? (await this.write(() => this.keys.findOrMake(subject, 'Personal').key));
    const sealed = sealText(key, subject, text);
    key.fill(0);
    return sealed;
  }

  async open(sealed: readonly Sealed[]): Promise<readonly (string | undefined)[]> {
    const opened: (string | undefined)[] = [];
    for (let from = 0; from < sealed.length; from += TEXTS_PER_TURN) {
      if (from > 0) await setImmediate();
      const batch = sealed.slice(from, from + TEXTS_PER_TURN);
      opened.push(...(await this.read(() => this.openTexts(batch))));
    }
    return opened;
  }

  async destroy(subject: string): Promise<void> {
    checkSubject(subject);
    await this.write(
      () => {
        const row = this.rows.find(subject);
        if (row === undefined) this.rows.insert(tombstone(subject));
        else if (row.master !== DESTROYED) this.rows.overwrite({ ...tombstone(subject), id: row.id });
      },
      // Also for a destroyed subject: the process that destroyed it may have died before it emptied the log.
      { scrubs: true },
    );
  }

  /**
   * Rewraps every data key under the current master key, while this and other processes use the vault, then retires the
   * older versions. After an interruption the next call continues where this one stopped.
   */
  rotate(options: RotationOptions = {}): Promise<RotationResult> {
    const { rows, keys, versions, keyring } = this;
    return rotateKeys({ rows, keys, versions, keyring, write: (work) => this.write(work) }, options);
  }

  /**
   * Runs `change`, which may configure a new first key, while no process writes to the vault. Then registers the first key
   * if it is new, and returns the new state.
   * @throws MasterKeyError if the current version's key is not configured
   */
  startRotation(change: (before: RotationState) => void = () => undefined): Promise<RotationState> {
    return this.write(() => {
      change(rotationState(this.versions));
      this.keyring.registerFirst();
      return rotationState(this.versions);
    });
  }

  /** Settles all earlier calls first. A repeat does nothing. */
  close(): Promise<void> {
    this.readings.flush();
    this.closed ??= this.queue.waitUntilIdle().then(() => this.database.close());
    return this.closed;
  }

  private openTexts(sealed: readonly Sealed[]): (string | undefined)[] {
    const keys = new Map<string, Buffer | undefined>();
    const opened = sealed.map((item) => {
      if (!keys.has(item.keyId)) keys.set(item.keyId, this.findPersonalKey(item.keyId));
      const key = keys.get(item.keyId);
      return key && openSealedText(key, item);
    });
    for (const key of keys.values()) key?.fill(0);
    return opened;
  }

  private findPersonalKey(subject: string): Buffer | undefined {
    return isSubject(subject) ? this.keys.find(subject, 'Personal')?.key : undefined;
  }

  private async read<T>(work: () => T): Promise<T> {
    const { value } = await retryWhileBusy(() => {
      if (this.closed) throw unavailableError('it is closed');
      return { value: work() };
    });
    return value;
  }

  private write<T>(work: () => T, options?: { readonly scrubs: boolean }): Promise<T> {
    if (this.closed) return Promise.reject(unavailableError('it is closed'));
    return this.queue.run(work, options);
  }
}

/** Zeroes the key. @throws VaultError if the card is damaged */
function decryptCard(row: SubjectRow, key: Buffer): string | undefined {
  const block = row.card && decryptBox(key, row.card, encryptedDataContext('Card', row.name));
  key.fill(0);
  if (row.card === undefined) return undefined;
  if (block === undefined) throw damagedError(row);
  const card = decodeCardBlock(block);
  block.fill(0);
  return card;
}
