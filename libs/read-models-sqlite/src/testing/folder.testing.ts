import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder for the files of one test. The caller removes it. */
export function newFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'tillstream-lists-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
