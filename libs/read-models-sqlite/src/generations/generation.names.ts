import { readdirSync } from 'node:fs';
import { PROJECTIONS } from '@tillstream/read-models';

const LIST = new RegExp(`^(${PROJECTIONS.join('|')})-([0-9]+)\\.db(-wal|-shm|-journal)?$`);
const ANY = /^[a-z_]+-([0-9]+)\.db/;

/** Which list a file belongs to, or what SQLite keeps beside it; undefined for any other name. */
export function listOfFile(
  name: string,
): { readonly projection: string; readonly generation: number } | undefined {
  const [, projection, generation] = LIST.exec(name) ?? [];
  return projection === undefined ? undefined : { projection, generation: Number(generation) };
}

/** The number in the name of a list's file, or of what SQLite keeps beside it; undefined for any other name. */
export function generationOfFile(name: string): number | undefined {
  return listOfFile(name)?.generation;
}

/** The highest number in a name of a directory, of lists and of ordered projections, also of files that were set aside. */
export function highestGeneration(directory: string): number {
  const numbers = readdirSync(directory).map((name) => Number(ANY.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers);
}
