import { newDataKey, unwrapDataKey, wrapDataKey, type KeyClass } from '../encryption/data-key.js';
import { missingKeyError, type CurrentMasterKey, type Keyring } from './keyring.js';
import type { MasterKey } from './master-key.js';
import { DESTROYED, tombstone, type SubjectRow, type SubjectTable } from './subject.row.js';
import { VaultError } from '../vault.port.js';

/** A row with its data key of one class. */
interface KeyedRow {
  readonly row: SubjectRow;
  readonly key: Buffer;
}

/** A row with its data keys; a key is undefined if the subject has none of this class. */
interface OpenedRow {
  readonly row: SubjectRow;
  readonly keys: Readonly<Record<KeyClass, Buffer | undefined>>;
}

/** Reads of a row whose master key was removed during the read. */
const READS_MAX = 3;

/** Makes, finds and rewraps the data keys of subjects. */
export class SubjectKeys {
  constructor(
    private readonly rows: SubjectTable,
    private readonly keyring: Keyring,
  ) {}

  /**
   * The row and its key of this class; undefined if there is none.
   * @throws VaultError `Unavailable` if the master key is missing or the wrapped key is damaged
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
      const present = row ? classes.filter((keyClass) => wrappedKey(row, keyClass)) : [];
      if (row === undefined || present.length === 0) return undefined;
      const master = this.keyring.find(row.master);
      const keys: Record<KeyClass, Buffer | undefined> = { Card: undefined, Personal: undefined };
      for (const keyClass of present) keys[keyClass] = master && unwrapKey(row, keyClass, master);
      if (present.every((keyClass) => keys[keyClass])) return { row, keys };
      // A rotation may have ended between the reads of the row and of the master key.
      if (reading === READS_MAX) throw master ? damagedError(row) : missingKeyError(row.master);
    }
  }

  /**
   * As `find`, but makes a missing row or key. Call it inside a write transaction.
   * @throws VaultError `Destroyed`; nothing was written then
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

  /** Returns the row with its keys wrapped under this version. Does not write it. @throws VaultError as `find` */
  rewrap(row: SubjectRow, { version, master }: CurrentMasterKey): SubjectRow {
    if (row.master === version) return row;
    const previous = this.keyring.find(row.master);
    if (previous === undefined) throw missingKeyError(row.master);
    const rewrapKey = (keyClass: KeyClass): Buffer | undefined => {
      if (wrappedKey(row, keyClass) === undefined) return undefined;
      const key = unwrapKey(row, keyClass, previous);
      if (key === undefined) throw damagedError(row);
      const wrapped = wrapDataKey(key, master, { version, keyClass, subject: row.name });
      key.fill(0);
      return wrapped;
    };
    return { ...row, master: version, cardKey: rewrapKey('Card'), personalKey: rewrapKey('Personal') };
  }

  private withNewKey(
    name: string,
    row: SubjectRow | undefined,
    keyClass: KeyClass,
    { version, master }: CurrentMasterKey,
  ): KeyedRow {
    const key = newDataKey();
    const wrapped = wrapDataKey(key, master, { version, keyClass, subject: name });
    const content = {
      ...(row ?? tombstone(name)),
      master: version,
      [keyClass === 'Card' ? 'cardKey' : 'personalKey']: wrapped,
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
  return box && unwrapDataKey(box, master, { version: row.master, keyClass, subject: row.name });
}

const destroyedError = (name: string): VaultError =>
  new VaultError('Destroyed', `The keys of ${name} were destroyed; it can not be used again.`);

export const damagedError = ({ name }: Pick<SubjectRow, 'name'>): VaultError =>
  new VaultError('Unavailable', `What the vault holds of ${name} is damaged; restore the vault's file.`);
