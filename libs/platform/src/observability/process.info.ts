import { readFileSync } from 'node:fs';
import type { ProcessInfo } from './metrics.js';

/** Of all packages of the project: they are released together. */
export function processInfo(app: string, mode: string): ProcessInfo {
  const file = new URL('../../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
  return { app, mode, version };
}
