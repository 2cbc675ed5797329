import { readFileSync } from 'node:fs';
import type { ProcessInfo } from './metrics.js';

/** All packages of the project have the same version. */
export function processInfo(app: string, mode: string): ProcessInfo {
  const file = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
  return { app, mode, version };
}
