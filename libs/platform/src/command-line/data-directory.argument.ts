import { basename, dirname } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { statPath } from '../files/path.stats.js';

/** The parser of an argument that names a data directory, or its `events.db`. @throws InvalidArgumentError for another file */
export function dataDirectory(path: string): string {
  if (statPath(path)?.isFile() !== true) return path;
  if (basename(path) === 'events.db') return dirname(path);
  throw new InvalidArgumentError('The path is neither a data directory nor the events.db of one.');
}
