import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** For its owner only. */
const PRIVATE = 0o700;

/**
 * Makes a directory, and those above it that are missing. Step by step: what Node does with `recursive` never ends where
 * the file system has no place for it, as below `/proc`.
 *
 * @throws what the system says, where it is a file or can't be made
 */
export function makePrivateDirectory(directory: string): void {
  try {
    makeOne(directory);
  } catch (error) {
    const above = dirname(directory);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === directory) throw error;
    makePrivateDirectory(above);
    makeOne(directory);
  }
}

/** One that is there, also since just now, is as good. */
function makeOne(directory: string): void {
  try {
    mkdirSync(directory, { mode: PRIVATE });
  } catch (error) {
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
