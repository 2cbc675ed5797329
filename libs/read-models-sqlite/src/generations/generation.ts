import { rmSync } from 'node:fs';
import type { TableShape } from '@tillstream/read-models';

/** The shape that a generation was made for. Another version or layout needs another generation. */
export type GenerationShape = { readonly projection: string } & Pick<TableShape, 'rowsVersion' | 'layout'>;

/**
 * `Building`: only its builder uses it. `Next`: announced, all writers write to it too. `Live`: lists are answered from it.
 * `Retired`: it was live. `Damaged`: it was live until its file was set aside. `Removed`: its files were deleted.
 */
export type GenerationStatus = 'Building' | 'Next' | 'Live' | 'Retired' | 'Damaged' | 'Removed';

export interface Generation {
  /** Its number, unique in the directory and never used again. */
  readonly generation: number;
  /** The name of a list or of an ordered projection. */
  readonly projection: string;
  readonly rowsVersion: number;
  readonly layout: number;
  /** The name of the event store that it is made from. */
  readonly source: string;
  readonly status: GenerationStatus;
  readonly builder: string;
  /** Ms since 1970, real time: when its status last changed. */
  readonly changedAt: number;
  /** Why no events are projected into it; undefined if they are. */
  readonly halted: string | undefined;
}

export function toGeneration(row: Readonly<Record<string, unknown>>): Generation {
  return {
    generation: row['generation'] as number,
    projection: row['projection'] as string,
    rowsVersion: row['rows_version'] as number,
    layout: row['layout'] as number,
    source: row['source'] as string,
    status: row['status'] as GenerationStatus,
    builder: row['builder'] as string,
    changedAt: row['changed_at'] as number,
    halted: (row['halted'] as string | null) ?? undefined,
  };
}

/** Deletes a database and the files that SQLite keeps beside it. Open connections still read the old content. */
export function removeFiles(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}
