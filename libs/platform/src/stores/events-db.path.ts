import { extname, join } from 'node:path';
import { statPath } from '../files/path.stats.js';

/** The path of `events.db` for the path of a data directory or of the file. A missing path without an extension is a directory. */
export function resolveEventsFile(path: string): string {
  const stats = statPath(path);
  const isDirectory = stats ? stats.isDirectory() : extname(path) === '';
  return isDirectory ? join(path, 'events.db') : path;
}
