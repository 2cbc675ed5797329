import type { KeyVersion, KeyVersionRegister } from '../keys/key-versions.js';
import type { MasterKey } from '../keys/master-key.js';
import type { RowContent, SubjectRow, SubjectTable } from '../keys/subject.row.js';
import { PostgresError, type PostgresSession } from '@tillstream/postgres-driver';
import { build, type StoredSubject, type StoredVersion } from './vault.tables.js';

/** The id of a row that is not inserted yet. */
const NEW = -1;

/**
 * The rows of some subjects, loaded before the code that decides about keys, which does not wait. `write` sends its changes.
 * In a transaction the rows must have been read for update.
 */
export class LoadedRows implements SubjectTable {
  readonly #rows: Map<string, SubjectRow>;
  readonly #changed = new Set<string>();

  constructor(rows: readonly StoredSubject[]) {
    this.#rows = new Map(rows.map((row) => [row.name, toSubjectRow(row)]));
  }

  all(): readonly SubjectRow[] {
    return [...this.#rows.values()];
  }

  find(name: string): SubjectRow | undefined {
    return this.#rows.get(name);
  }

  insert(row: RowContent): number {
    this.overwrite({ ...row, id: NEW });
    return NEW;
  }

  overwrite(row: SubjectRow): void {
    this.#rows.set(row.name, row);
    this.#changed.add(row.name);
  }

  /** @throws PostgresError `Retryable` if another process has inserted the subject meanwhile */
  async write(session: PostgresSession): Promise<void> {
    for (const name of this.#changed) {
      const row = this.#rows.get(name);
      if (row === undefined) continue;
      const statement = row.id === NEW ? insertRow(row) : updateRow(row);
      if ((await session.run(statement)) === 0) {
        throw new PostgresError('Retryable', 'another process has stored the same subject');
      }
    }
  }
}

/** The register of master keys, loaded. `write` sends its changes. */
export class LoadedVersions implements KeyVersionRegister {
  #versions: KeyVersion[];
  readonly #changed = new Set<number>();

  constructor(rows: readonly StoredVersion[] = []) {
    this.#versions = rows.map(({ version, check_value, registered_at, retired_at }) => ({
      version,
      checkValue: check_value,
      registeredAt: registered_at,
      retiredAt: retired_at ?? undefined,
    }));
  }

  all(): readonly KeyVersion[] {
    return this.#versions;
  }

  current(): number {
    return this.#versions.at(-1)?.version ?? 0;
  }

  register({ checkValue }: MasterKey): number {
    const version = this.current() + 1;
    this.#versions.push({
      version,
      checkValue,
      registeredAt: new Date().toISOString(),
      retiredAt: undefined,
    });
    this.#changed.add(version);
    return version;
  }

  retireOlder(): void {
    const retiredAt = new Date().toISOString();
    this.#versions = this.#versions.map((one) => {
      if (one.version === this.current() || one.retiredAt !== undefined) return one;
      this.#changed.add(one.version);
      return { ...one, retiredAt };
    });
  }

  async write(session: PostgresSession): Promise<void> {
    for (const { version, checkValue, registeredAt, retiredAt } of this.#versions) {
      if (!this.#changed.has(version)) continue;
      const row = { check_value: checkValue, registered_at: registeredAt, retired_at: retiredAt ?? null };
      const insert = build.insertInto('vault_master_keys').values({ version, ...row });
      await session.run(insert.onConflict((conflict) => conflict.column('version').doUpdateSet(row)));
    }
  }
}

function insertRow({ name, ...content }: SubjectRow) {
  return build
    .insertInto('vault_subjects')
    .values({ name, ...columnsOf(content) })
    .onConflict((conflict) => conflict.column('name').doNothing());
}

function updateRow({ id, ...content }: SubjectRow) {
  return build.updateTable('vault_subjects').set(columnsOf(content)).where('id', '=', id);
}

function columnsOf({ master, cardKey, personalKey, card }: Omit<SubjectRow, 'id' | 'name'>) {
  return { master, card_key: cardKey ?? null, personal_key: personalKey ?? null, card: card ?? null };
}

function toSubjectRow(row: StoredSubject): SubjectRow {
  return {
    id: row.id,
    name: row.name,
    master: row.master,
    cardKey: row.card_key ?? undefined,
    personalKey: row.personal_key ?? undefined,
    card: row.card ?? undefined,
  };
}
