import { statSync, type Stats } from 'node:fs';
import { ConfigError } from '../configuration/setting.kinds.js';

/** What is at a path; undefined where nothing is. @throws ConfigError where that can't be told, which is not the same. */
export function statPath(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EACCES' ? 'this user may not enter a folder above it (EACCES)' : code;
    throw new ConfigError(`"${path}" can not be looked at: ${why}.`);
  }
}

export function pathExists(path: string): boolean {
  return statPath(path) !== undefined;
}
