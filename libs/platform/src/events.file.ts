import { statSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A data directory stands for the file of events in it, also one that is not there yet: a file has a name with a dot in it. */
export function eventsFile(path: string): string {
  const there = statSync(path, { throwIfNoEntry: false });
  const isDirectory = there ? there.isDirectory() : extname(path) === '';
  return isDirectory ? join(path, 'events.db') : path;
}
