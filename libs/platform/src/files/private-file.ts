import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** For its owner only. */
const PRIVATE = 0o600;

/** Puts a file in place of what is there: readers see the old or the new one, whole, even after a power cut. */
export function replacePrivateFile(file: string, content: string): void {
  withDraft(file, content, (draft) => renameSync(draft, file));
}

/** Makes a file unless it is there; of several who try at once one wins, and all then see its content. */
export function createPrivateFile(file: string, content: string): boolean {
  return withDraft(file, content, (draft) => {
    try {
      linkSync(draft, file);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  });
}

/** `place` gets a draft that is whole and synced; whatever comes of it, none is left. */
function withDraft<Placed>(file: string, content: string, place: (draft: string) => Placed): Placed {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const descriptor = openSync(draft, 'wx', PRIVATE);
  try {
    try {
      // Not `writeSync`, which on a disk that is nearly full writes a part and says how much.
      writeFileSync(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return place(draft);
  } finally {
    rmSync(draft, { force: true });
    syncDirectory(file);
  }
}

function syncDirectory(file: string): void {
  const descriptor = openSync(dirname(file), 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
