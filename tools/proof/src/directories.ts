import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/* What processes under trial write to: among the system's temporary directories, and gone when the proof is done with it. */

let sayKept: ((line: string) => void) | undefined;

/** From now on what a proof is done with stays, and where it is goes to `say`: for whoever wants to know why it failed. */
export function keepDirectories(say: (line: string) => void): void {
  sayKept = say;
}

export function newDirectory(of: 'proof' | 'acquirer'): string {
  return mkdtempSync(join(tmpdir(), `tillstream-${of}-`));
}

export function removeDirectory(directory: string): void {
  if (sayKept) sayKept(`kept: ${directory}`);
  else rmSync(directory, { recursive: true, force: true });
}
