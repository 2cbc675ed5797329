import { existsSync, rmSync } from 'node:fs';
import type { TableShape } from '@tillstream/read-models';

/** What a generation is made for: another version or layout needs another generation. */
export type GenerationShape = { readonly projection: string } & Pick<TableShape, 'rowsVersion' | 'layout'>;

/**
 * `Building`: nobody but its builder knows it. `Next`: announced, everybody writes to it too. `Live`: lists are answered
 * from it. `Retired`: it was live. `Damaged`: it was live until its file was set aside. `Removed`: its files are gone.
 */
export type GenerationStatus = 'Building' | 'Next' | 'Live' | 'Retired' | 'Damaged' | 'Removed';

export interface Generation {
  /** Never used again. */
  readonly generation: number;
  /** A list's name, or that of an ordered projection. */
  readonly projection: string;
  readonly rowsVersion: number;
  readonly layout: number;
  /** Of its events. */
  readonly source: string;
  readonly status: GenerationStatus;
  readonly builder: string;
  /** Ms, real time: of the last change of its status. */
  readonly changedAt: number;
  /** Why nothing is projected into it. */
  readonly halted: string | undefined;
}

/** From a row of the control database. */
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

/** A database and what SQLite keeps beside it. Whoever has it open still reads what it knew. */
export function removeFiles(file: string): void {
  for (const one of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) {
    if (existsSync(one)) rmSync(one, { force: true });
  }
}
