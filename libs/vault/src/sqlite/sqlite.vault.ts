import { setImmediate } from 'node:timers/promises';
import { ReadQueue } from '@tillstream/sqlite-driver';
import { sealText } from '../encryption/sealed-text.js';
import type { Keyring } from '../keys/keyring.js';
import type { KeyVersions } from '../keys/key-versions.js';
import { openCardAndText, openTexts } from '../keys/opened.texts.js';
import type { RotatableVault } from '../keys/rotatable.vault.js';
import {
  rotateKeys,
  rotationState,
  type RotationOptions,
  type RotationResult,
  type RotationState,
} from '../keys/rotation.js';
import { decryptCard, storeCardIn, withCardBlock } from '../keys/stored.card.js';
import { SubjectKeys } from '../keys/subject.keys.js';
import { destroyRow } from '../keys/subject.row.js';
import { checkSubject, isSubject } from '../subject.name.js';
import { unavailableError } from '../vault.errors.js';
import type { CardAndText, Sealed } from '../vault.port.js';
import { retryWhileBusy } from './busy.retry.js';
import { sqliteRotation } from './sqlite.rotation.js';
import { SubjectRows } from './subject.rows.js';
import type { VaultDatabase } from './vault.database.js';
import { WriteQueue } from './write.queue.js';

/** Texts that are opened before the event loop takes its next turn. */
const TEXTS_PER_TURN = 100;

/** A vault in one file, which several processes may open. */
export class SqliteVault implements RotatableVault {
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
    await withCardBlock(card, (block) => this.write(() => storeCardIn(this.rows, this.keys, subject, block)));
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
    return this.readings.run(() => openCardAndText(this.keys, subject, sealed));
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
      opened.push(...(await this.openBatch(batch)));
    }
    return opened;
  }

  async destroy(subject: string): Promise<void> {
    checkSubject(subject);
    await this.write(
      () => destroyRow(this.rows, subject),
      // Also for a destroyed subject: the process that destroyed it may have died before it emptied the log.
      { scrubs: true },
    );
  }

  rotate(options: RotationOptions = {}): Promise<RotationResult> {
    const { rows, keys, versions, keyring } = this;
    const parts = { rows, keys, versions, keyring, write: <T>(work: () => T) => this.write(work) };
    return rotateKeys(sqliteRotation(parts), options);
  }

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

  /** In one snapshot, because taking the file's locks costs more than a read. */
  private async openBatch(batch: readonly Sealed[]): Promise<(string | undefined)[]> {
    const work = () => openTexts(this.keys, batch);
    try {
      if (!this.closed) return this.database.inSnapshot(work);
    } catch {
      // The file is busy, or a rotation ended meanwhile: a repeat in the same snapshot would see the same rows.
    }
    return this.read(work);
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
