import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/* Temporary directories of the processes; removed at the end of a proof. */

let reportKept: ((line: string) => void) | undefined;

/** From now on directories are kept, and `say` prints their paths. */
export function keepDirectories(say: (line: string) => void): void {
  reportKept = say;
}

export function newDirectory(of: 'proof' | 'acquirer'): string {
  return mkdtempSync(join(tmpdir(), `tillstream-${of}-`));
}

export function removeDirectory(directory: string): void {
  if (reportKept) reportKept(`kept: ${directory}`);
  else rmSync(directory, { recursive: true, force: true });
}
