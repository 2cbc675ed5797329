import { extname, join } from 'node:path';
import { whatIsAt } from '../is-there.js';

/** A data directory stands for the file of events in it, also one that is not there yet: a file has a name with a dot in it. */
export function eventsFile(path: string): string {
  const there = whatIsAt(path);
  const isDirectory = there ? there.isDirectory() : extname(path) === '';
  return isDirectory ? join(path, 'events.db') : path;
}
