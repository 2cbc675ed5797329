import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const PRIVATE = 0o700;

/**
 * Creates a directory and its missing parents, for their owner only. Not by `recursive` of Node, which never returns below
 * `/proc`.
 * @throws the system's error if the path is a file or can't be created
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

/** Accepts a directory that exists, also one that another process has just created. */
function makeOne(directory: string): void {
  try {
    mkdirSync(directory, { mode: PRIVATE });
  } catch (error) {
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
