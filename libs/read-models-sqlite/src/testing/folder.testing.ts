import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder for one test's files; the caller removes it. */
export function newFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'tillstream-lists-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
