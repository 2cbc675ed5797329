import { repeatUntilKnown, type Postgres } from '@tillstream/postgres-driver';
import { sealText } from '../encryption/sealed-text.js';
import { Keyring } from '../keys/keyring.js';
import type { MasterKeySource } from '../keys/master-key.js';
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
import { destroyRow, DESTROYED } from '../keys/subject.row.js';
import { checkSubject, isSubject } from '../subject.name.js';
import { unavailableError } from '../vault.errors.js';
import type { CardAndText, Sealed } from '../vault.port.js';
import { LoadedRows, LoadedVersions } from './loaded.rows.js';
import { postgresRotation } from './postgres.rotation.js';
import { allVersions, changeVault, subjectsNamed, type LoadedVault } from './vault.transaction.js';

/** Texts that are opened before the event loop takes its next turn. */
const TEXTS_PER_TURN = 100;
/** Reads of rows whose master key was retired during the read. */
const READS_MAX = 3;

/**
 * A vault in PostgreSQL, for all machines. The database gets only wrapped keys and encrypted cards. Its old row versions, its
 * log and its backups can hold the wrapped keys of a destroyed subject until the master key that wraps them is discarded
 * (docs/adr/0041).
 */
export class PostgresVault implements RotatableVault {
  #versions = new LoadedVersions();
  #keyring: Keyring;
  #isClosed = false;

  /** Made by `openPostgresVault`. */
  constructor(
    private readonly database: Postgres,
    private readonly masterKeys: MasterKeySource,
  ) {
    this.#keyring = new Keyring(masterKeys, this.#versions);
  }

  async storeCard(subject: string, card: string): Promise<void> {
    checkSubject(subject);
    await withCardBlock(card, (block) =>
      this.#change(subject, ({ rows, keys }) => storeCardIn(rows, keys, subject, block)),
    );
  }

  async openCard(subject: string): Promise<string | undefined> {
    if (!isSubject(subject)) return undefined;
    return this.#read([subject], (keys) => {
      const found = keys.find(subject, 'Card');
      return found && decryptCard(found.row, found.key);
    });
  }

  async openCardAndText(subject: string, sealed: Sealed | undefined): Promise<CardAndText> {
    if (!isSubject(subject)) return { card: undefined, text: undefined };
    return this.#read([subject], (keys) => openCardAndText(keys, subject, sealed));
  }

  async seal(subject: string, text: string): Promise<Sealed> {
    checkSubject(subject);
    const known = await this.#read([subject], (keys) => keys.find(subject, 'Personal')?.key);
    const key =
      known ?? (await this.#change(subject, ({ keys }) => keys.findOrMake(subject, 'Personal').key));
    const sealed = sealText(key, subject, text);
    key.fill(0);
    return sealed;
  }

  async open(sealed: readonly Sealed[]): Promise<readonly (string | undefined)[]> {
    const opened: (string | undefined)[] = [];
    for (let from = 0; from < sealed.length; from += TEXTS_PER_TURN) {
      const batch = sealed.slice(from, from + TEXTS_PER_TURN);
      const subjects = new Set(batch.map(({ keyId }) => keyId).filter(isSubject));
      opened.push(...(await this.#read([...subjects], (keys) => openTexts(keys, batch))));
    }
    return opened;
  }

  async destroy(subject: string): Promise<void> {
    checkSubject(subject);
    await this.#change(subject, ({ rows }) => destroyRow(rows, subject));
  }

  rotate(options: RotationOptions = {}): Promise<RotationResult> {
    return this.#guarded(() => rotateKeys(postgresRotation(this.database, this.masterKeys), options));
  }

  /** `change` may run again if the connection is lost. */
  startRotation(change: (before: RotationState) => void = () => undefined): Promise<RotationState> {
    return this.#guarded(() =>
      changeVault(this.database, this.masterKeys, {
        access: 'Alone',
        load: async () => [],
        change: ({ versions, keyring }) => {
          change(rotationState(versions));
          keyring.registerFirst();
          return rotationState(versions);
        },
      }),
    );
  }

  /** The database stays open. A repeat does nothing. */
  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #change<T>(subject: string, change: (loaded: LoadedVault) => T): Promise<T> {
    return this.#guarded(() =>
      changeVault(this.database, this.masterKeys, {
        access: 'Shared',
        load: (session) => session.all(subjectsNamed([subject]).forUpdate()),
        change,
      }),
    );
  }

  #read<T>(subjects: readonly string[], read: (keys: SubjectKeys) => T): Promise<T> {
    return this.#guarded(async () => read(new SubjectKeys(await this.#load(subjects), this.#keyring)));
  }

  /** Loads the rows, and the register of master keys if a row needs a version that this process does not know yet. */
  async #load(subjects: readonly string[]): Promise<LoadedRows> {
    if (subjects.length === 0) return new LoadedRows([]);
    for (let reads = 1; ; reads++) {
      const rows = new LoadedRows(await repeatUntilKnown(() => this.database.all(subjectsNamed(subjects))));
      const masters = rows.all().map(({ master }) => master);
      const isKnown = masters.every((one) => one === DESTROYED || this.#keyring.find(one) !== undefined);
      if (isKnown || reads === READS_MAX) return rows;
      this.#versions = new LoadedVersions(await repeatUntilKnown(() => this.database.all(allVersions())));
      this.#keyring = new Keyring(this.masterKeys, this.#versions);
    }
  }

  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw unavailableError('it is closed');
    try {
      return await work();
    } catch (error) {
      throw error instanceof RangeError ? error : unavailableError(error);
    }
  }
}
