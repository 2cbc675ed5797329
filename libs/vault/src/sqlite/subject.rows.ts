import type Database from 'better-sqlite3';
import { WRAPPED_KEY_BYTES } from '../encryption/data-key.js';
import { CARD_BOX_BYTES, type VaultDatabase } from './vault.database.js';

/** The version of a destroyed subject's row. */
export const DESTROYED = 0;

export interface SubjectRow {
  readonly id: number;
  readonly name: string;
  /** Version of the master key under which its keys are wrapped. */
  readonly master: number;
  /** Wrapped; undefined: not made yet. */
  readonly cardKey: Buffer | undefined;
  readonly personalKey: Buffer | undefined;
  /** Boxed under the card key; undefined: none kept. */
  readonly card: Buffer | undefined;
}

export type RowContent = Omit<SubjectRow, 'id'>;

/** Id, name, and the rest as one value: each that is read costs far more than its bytes do. */
type StoredRow = [id: number, name: string, content: Buffer];
const COLUMNS = 'id, name, CAST(master || card_key || personal_key || card AS BLOB)';
const MASTER_BYTES = 4;
const PERSONAL_KEY_AT = MASTER_BYTES + WRAPPED_KEY_BYTES;
const CARD_AT = PERSONAL_KEY_AT + WRAPPED_KEY_BYTES;

const NO_KEY = Buffer.alloc(WRAPPED_KEY_BYTES);
const NO_CARD = Buffer.alloc(CARD_BOX_BYTES);

/** The rows as they are stored; nothing here knows a key. All that change something run inside a transaction. */
export class SubjectRows {
  private readonly byName: Database.Statement<[string], StoredRow>;
  private readonly insertion: Database.Statement;
  private readonly change: Database.Statement;
  private readonly page: Database.Statement<[Buffer, number, number], StoredRow>;
  private readonly number: Database.Statement<[Buffer]>;

  constructor({ sqlite }: VaultDatabase) {
    this.byName = sqlite.prepare<[string], StoredRow>(`SELECT ${COLUMNS} FROM subject WHERE name = ?`).raw();
    this.insertion = sqlite.prepare(
      'INSERT INTO subject (name, master, card_key, personal_key, card) VALUES (?, ?, ?, ?, ?)',
    );
    this.change = sqlite.prepare(
      'UPDATE subject SET master = ?, card_key = ?, personal_key = ?, card = ? WHERE id = ?',
    );
    this.page = sqlite
      .prepare<[Buffer, number, number], StoredRow>(
        `SELECT ${COLUMNS} FROM subject WHERE master = ? AND id > ? ORDER BY id LIMIT ?`,
      )
      .raw();
    this.number = sqlite.prepare('SELECT count(*) FROM subject WHERE master = ?').pluck();
  }

  find(name: string): SubjectRow | undefined {
    const row = this.byName.get(name);
    return row && toSubjectRow(row);
  }

  /** Gives its id. */
  insert(row: RowContent): number {
    return Number(this.insertion.run(row.name, ...toBlobs(row)).lastInsertRowid);
  }

  /** In place: the same bytes of the file. */
  overwrite(row: SubjectRow): void {
    this.change.run(...toBlobs(row), row.id);
  }

  /** Of those whose keys hang on this version, the first so many after a row. */
  pageUnderVersion(version: number, afterId: number, limit: number): readonly SubjectRow[] {
    return this.page.all(versionBytes(version), afterId, limit).map(toSubjectRow);
  }

  /** How many hang on this version; of `DESTROYED`, how many were destroyed. */
  count(version: number): number {
    return this.number.get(versionBytes(version)) as number;
  }
}

/** A row that holds nothing and never will. */
export const tombstone = (name: string): RowContent => ({
  name,
  master: DESTROYED,
  cardKey: undefined,
  personalKey: undefined,
  card: undefined,
});

function toSubjectRow([id, name, content]: StoredRow): SubjectRow {
  return {
    id,
    name,
    master: content.readUInt32BE(),
    cardKey: undefinedIfEmpty(content.subarray(MASTER_BYTES, PERSONAL_KEY_AT), NO_KEY),
    personalKey: undefinedIfEmpty(content.subarray(PERSONAL_KEY_AT, CARD_AT), NO_KEY),
    card: undefinedIfEmpty(content.subarray(CARD_AT), NO_CARD),
  };
}

function undefinedIfEmpty(bytes: Buffer, empty: Buffer): Buffer | undefined {
  return bytes.equals(empty) ? undefined : bytes;
}

function toBlobs({ master, cardKey, personalKey, card }: RowContent): [Buffer, Buffer, Buffer, Buffer] {
  return [versionBytes(master), cardKey ?? NO_KEY, personalKey ?? NO_KEY, card ?? NO_CARD];
}

function versionBytes(version: number): Buffer {
  const bytes = Buffer.alloc(MASTER_BYTES);
  bytes.writeUInt32BE(version);
  return bytes;
}
