import type Database from 'better-sqlite3';
import { WRAPPED_KEY_BYTES } from '../encryption/data-key.js';
import type { RowContent, SubjectRow, SubjectTable } from '../keys/subject.row.js';
import { CARD_BOX_BYTES, type VaultDatabase } from './vault.database.js';

/** Id, name, and the other columns as one value: each value that the driver reads costs far more than its bytes. */
type StoredRow = [id: number, name: string, content: Buffer];
const COLUMNS = 'id, name, CAST(master || card_key || personal_key || card AS BLOB)';
const MASTER_BYTES = 4;
const PERSONAL_KEY_AT = MASTER_BYTES + WRAPPED_KEY_BYTES;
const CARD_AT = PERSONAL_KEY_AT + WRAPPED_KEY_BYTES;

const NO_KEY = Buffer.alloc(WRAPPED_KEY_BYTES);
const NO_CARD = Buffer.alloc(CARD_BOX_BYTES);

/** The stored rows, without access to any key. Call the changing methods inside a transaction. */
export class SubjectRows implements SubjectTable {
  private readonly selectByName: Database.Statement<[string], StoredRow>;
  private readonly insertRow: Database.Statement;
  private readonly updateRow: Database.Statement;
  private readonly selectPage: Database.Statement<[Buffer, number, number], StoredRow>;
  private readonly countRows: Database.Statement<[Buffer]>;

  constructor({ sqlite }: VaultDatabase) {
    this.selectByName = sqlite
      .prepare<[string], StoredRow>(`SELECT ${COLUMNS} FROM subject WHERE name = ?`)
      .raw();
    this.insertRow = sqlite.prepare(
      'INSERT INTO subject (name, master, card_key, personal_key, card) VALUES (?, ?, ?, ?, ?)',
    );
    this.updateRow = sqlite.prepare(
      'UPDATE subject SET master = ?, card_key = ?, personal_key = ?, card = ? WHERE id = ?',
    );
    this.selectPage = sqlite
      .prepare<[Buffer, number, number], StoredRow>(
        `SELECT ${COLUMNS} FROM subject WHERE master = ? AND id > ? ORDER BY id LIMIT ?`,
      )
      .raw();
    this.countRows = sqlite.prepare('SELECT count(*) FROM subject WHERE master = ?').pluck();
  }

  find(name: string): SubjectRow | undefined {
    const row = this.selectByName.get(name);
    return row && toSubjectRow(row);
  }

  /** Returns the id of the new row. */
  insert(row: RowContent): number {
    return Number(this.insertRow.run(row.name, ...toBlobs(row)).lastInsertRowid);
  }

  /** Overwrites the row's bytes in their place in the file. */
  overwrite(row: SubjectRow): void {
    this.updateRow.run(...toBlobs(row), row.id);
  }

  /** The next rows under this version after a row, in order of their ids. */
  pageUnderVersion(version: number, afterId: number, limit: number): readonly SubjectRow[] {
    return this.selectPage.all(versionBytes(version), afterId, limit).map(toSubjectRow);
  }

  /** The number of subjects under this version; for `DESTROYED`, of destroyed subjects. */
  count(version: number): number {
    return this.countRows.get(versionBytes(version)) as number;
  }
}

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
