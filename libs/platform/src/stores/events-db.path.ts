import { extname, join } from 'node:path';
import { statPath } from '../files/path.stats.js';

/** A data directory stands for the file of events in it, also one that is not there yet: a file has a name with a dot in it. */
export function resolveEventsFile(path: string): string {
  const there = statPath(path);
  const isDirectory = there ? there.isDirectory() : extname(path) === '';
  return isDirectory ? join(path, 'events.db') : path;
}
