/** The version of a destroyed subject's row. */
export const DESTROYED = 0;

export interface SubjectRow {
  readonly id: number;
  readonly name: string;
  /** The version of the master key that wraps its data keys. */
  readonly master: number;
  /** Wrapped. Undefined: the subject has no card key. */
  readonly cardKey: Buffer | undefined;
  readonly personalKey: Buffer | undefined;
  /** Encrypted with the card key. Undefined: no card is stored. */
  readonly card: Buffer | undefined;
}

export type RowContent = Omit<SubjectRow, 'id'>;

/** The rows that a change of one subject reads and writes. */
export interface SubjectTable {
  find(name: string): SubjectRow | undefined;
  /** Returns the id of the new row. */
  insert(row: RowContent): number;
  overwrite(row: SubjectRow): void;
}

/** The row of a destroyed subject: no keys and no card. */
export const tombstone = (name: string): RowContent => ({
  name,
  master: DESTROYED,
  cardKey: undefined,
  personalKey: undefined,
  card: undefined,
});

/** Destroys the keys and the card of a subject. A repeat does nothing. */
export function destroyRow(rows: SubjectTable, subject: string): void {
  const row = rows.find(subject);
  if (row === undefined) rows.insert(tombstone(subject));
  else if (row.master !== DESTROYED) rows.overwrite({ ...tombstone(subject), id: row.id });
}
