import { statSync } from 'node:fs';
import { join } from 'node:path';

/** A data directory stands for the file of events in it. */
export function eventsFile(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, 'events.db') : path;
}
