import { newDataKey, unwrapDataKey, wrapDataKey, type KeyClass } from '../encryption/data-key.js';
import type { Keyring } from '../keys/keyring.js';
import { missingKeyError } from '../keys/keyring.js';
import type { MasterKey } from '../keys/master-key.js';
import { DESTROYED, type SubjectRow, type SubjectRows } from './subject.rows.js';
import { VaultError } from '../vault.port.js';

interface CurrentMasterKey {
  readonly version: number;
  readonly master: MasterKey;
}

/** A row that can be changed, wrapped under the current version, with the data key of the class asked for. */
export interface KeyedRow {
  readonly row: SubjectRow;
  readonly key: Buffer;
}

/** A row and its data keys, undefined where one is not made. */
export interface OpenedRow {
  readonly row: SubjectRow;
  readonly keys: Readonly<Record<KeyClass, Buffer | undefined>>;
}

/** How often a row is read again whose master key was taken away while it was read. */
const READS_MAX = 3;

/** The data keys of subjects: made, found, wrapped anew. */
export class SubjectKeys {
  constructor(
    private readonly rows: SubjectRows,
    private readonly keyring: Keyring,
  ) {}

  /**
   * The row and its key of this class, undefined where there is none.
   * @throws VaultError `Unavailable` where the master key is missing or the wrapped key is not whole.
   */
  find(name: string, keyClass: KeyClass): KeyedRow | undefined {
    const found = this.findAll(name, [keyClass]);
    const key = found?.keys[keyClass];
    return found && key && { row: found.row, key };
  }

  /** The row with its keys of these classes. @throws VaultError as `find`. */
  findAll(name: string, classes: readonly KeyClass[]): OpenedRow | undefined {
    for (let reading = 1; ; reading++) {
      const row = this.rows.find(name);
      const made = row ? classes.filter((keyClass) => wrappedKey(row, keyClass)) : [];
      if (row === undefined || made.length === 0) return undefined;
      const master = this.keyring.find(row.master);
      const keys: Record<KeyClass, Buffer | undefined> = { Card: undefined, Personal: undefined };
      for (const keyClass of made) keys[keyClass] = master && unwrapKey(row, keyClass, master);
      if (made.every((keyClass) => keys[keyClass])) return { row, keys };
      // Between the two readings a rotation may have ended.
      if (reading === READS_MAX) throw master ? damagedError(row) : missingKeyError(row.master);
    }
  }

  /**
   * The same, and makes what is missing; inside a write transaction.
   * @throws VaultError `Destroyed`, before anything was written.
   */
  findOrMake(name: string, keyClass: KeyClass): KeyedRow {
    const found = this.rows.find(name);
    if (found?.master === DESTROYED) throw destroyedError(name);
    const current = this.keyring.current();
    const row = found && this.rewrap(found, current);
    const key = row && unwrapKey(row, keyClass, current.master);
    if (key) return { row, key };
    if (row && wrappedKey(row, keyClass)) throw damagedError(row);
    return this.withNewKey(name, row, keyClass, current);
  }

  /** The row wrapped under the current version, not written yet. @throws VaultError as `find`. */
  rewrap(row: SubjectRow, { version, master }: CurrentMasterKey): SubjectRow {
    if (row.master === version) return row;
    const before = this.keyring.find(row.master);
    if (before === undefined) throw missingKeyError(row.master);
    const again = (keyClass: KeyClass): Buffer | undefined => {
      if (wrappedKey(row, keyClass) === undefined) return undefined;
      const key = unwrapKey(row, keyClass, before);
      if (key === undefined) throw damagedError(row);
      const anew = wrapDataKey(key, master, version, keyClass, row.name);
      key.fill(0);
      return anew;
    };
    return { ...row, master: version, cardKey: again('Card'), personalKey: again('Personal') };
  }

  private withNewKey(
    name: string,
    row: SubjectRow | undefined,
    keyClass: KeyClass,
    { version, master }: CurrentMasterKey,
  ): KeyedRow {
    const key = newDataKey();
    const made = wrapDataKey(key, master, version, keyClass, name);
    const content = {
      name,
      master: version,
      cardKey: keyClass === 'Card' ? made : row?.cardKey,
      personalKey: keyClass === 'Personal' ? made : row?.personalKey,
      card: row?.card,
    };
    const id = row?.id ?? this.rows.insert(content);
    if (row) this.rows.overwrite({ ...content, id });
    return { row: { ...content, id }, key };
  }
}

function wrappedKey(row: SubjectRow, keyClass: KeyClass): Buffer | undefined {
  return keyClass === 'Card' ? row.cardKey : row.personalKey;
}

function unwrapKey(row: SubjectRow, keyClass: KeyClass, master: MasterKey): Buffer | undefined {
  const box = wrappedKey(row, keyClass);
  return box && unwrapDataKey(box, master, row.master, keyClass, row.name);
}

const destroyedError = (name: string): VaultError =>
  new VaultError('Destroyed', `The keys of ${name} were destroyed; it can not be used again.`);

export const damagedError = ({ name }: Pick<SubjectRow, 'name'>): VaultError =>
  new VaultError('Unavailable', `What the vault holds of ${name} is damaged; restore the vault's file.`);
