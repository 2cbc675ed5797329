import { statSync, type Stats } from 'node:fs';
import { ConfigError } from '../configuration/setting.kinds.js';

/**
 * Undefined if nothing is at the path.
 * @throws ConfigError if the path can't be read
 */
export function statPath(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EACCES' ? 'this user may not enter a folder above it (EACCES)' : code;
    throw new ConfigError(`"${path}" can not be read: ${why}.`);
  }
}

export function pathExists(path: string): boolean {
  return statPath(path) !== undefined;
}
