import { readdirSync, rmSync } from 'node:fs';
import { PROJECTIONS, type TableShape } from '@tillstream/read-models';

/** The shape that a generation was made for. Another version or layout needs another generation. */
export type GenerationShape = Pick<TableShape, 'projection' | 'rowsVersion' | 'layout'>;

/**
 * `Building`: only its builder uses it. `Next`: announced, all writers write to it too. `Live`: lists are answered from it.
 * `Retired`: it was live. `Damaged`: it was live until its file was set aside. `Removed`: its files were deleted.
 */
export type GenerationStatus = 'Building' | 'Next' | 'Live' | 'Retired' | 'Damaged' | 'Removed';

/** `projection`: the name of a list or of an ordered projection. */
export interface Generation extends GenerationShape {
  /** Its number, unique in the directory and never used again. */
  readonly generation: number;
  /** The name of the event store that it is made from. */
  readonly source: string;
  readonly status: GenerationStatus;
  readonly builder: string;
  /** Ms since 1970, real time: when its status last changed. */
  readonly changedAt: number;
  /** Why no events are projected into it; undefined if they are. */
  readonly halted: string | undefined;
}

const LIST_FILE = new RegExp(`^(${PROJECTIONS.join('|')})-([0-9]+)\\.db(-wal|-shm|-journal)?$`);
const ANY_FILE = /^[a-z_]+-([0-9]+)\.db/;

/** The list that a file belongs to, also for the files that SQLite keeps beside it; undefined for any other name. */
export function listOfFile(name: string): Pick<Generation, 'projection' | 'generation'> | undefined {
  const [, projection, generation] = LIST_FILE.exec(name) ?? [];
  return projection === undefined ? undefined : { projection, generation: Number(generation) };
}

/** The highest number in the file names of a directory: lists, ordered projections, and files that were set aside. */
export function highestGeneration(directory: string): number {
  const numbers = readdirSync(directory).map((name) => Number(ANY_FILE.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers);
}

/** Deletes a database and the files that SQLite keeps beside it. Open connections still read the old content. */
export function removeFiles(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}
