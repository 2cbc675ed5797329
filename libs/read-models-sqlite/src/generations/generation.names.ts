import { readdirSync } from 'node:fs';
import { PROJECTIONS } from '@tillstream/read-models';
import type { Generation } from './generation.js';

const LIST = new RegExp(`^(${PROJECTIONS.join('|')})-([0-9]+)\\.db(-wal|-shm|-journal)?$`);
const ANY = /^[a-z_]+-([0-9]+)\.db/;

/** The list that a file belongs to, also for the files that SQLite keeps beside it; undefined for any other name. */
export function listOfFile(name: string): Pick<Generation, 'projection' | 'generation'> | undefined {
  const [, projection, generation] = LIST.exec(name) ?? [];
  return projection === undefined ? undefined : { projection, generation: Number(generation) };
}

/** The highest number in the file names of a directory: lists, ordered projections, and files that were set aside. */
export function highestGeneration(directory: string): number {
  const numbers = readdirSync(directory).map((name) => Number(ANY.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers);
}
