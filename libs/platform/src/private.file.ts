import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** For its owner only. */
const PRIVATE = 0o600;

/** Puts a file in place of what is there: readers see the old or the new one, whole, even after a power cut. */
export function replacePrivateFile(file: string, content: string): void {
  const draft = writeDraft(file, content);
  try {
    renameSync(draft, file);
  } catch (error) {
    unlinkSync(draft);
    throw error;
  }
  syncDirectory(file);
}

/** Makes a file unless it is there; of several who try at once one wins, and all then see its content. */
export function createPrivateFile(file: string, content: string): boolean {
  const draft = writeDraft(file, content);
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    unlinkSync(draft);
    syncDirectory(file);
  }
}

/** Whole and synced, or thrown and not there. */
function writeDraft(file: string, content: string): string {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const descriptor = openSync(draft, 'wx', PRIVATE);
  try {
    // Not `writeSync`, which on a disk that is nearly full writes a part and says how much.
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } catch (error) {
    unlinkSync(draft);
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return draft;
}

function syncDirectory(file: string): void {
  const descriptor = openSync(dirname(file), 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
