import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** For its owner only. */
const PRIVATE = 0o600;

/** Replaces a file atomically: readers see the whole old or the whole new one, also after a power cut. */
export function replacePrivateFile(file: string, content: string): void {
  withDraft(file, content, (draft) => renameSync(draft, file));
}

/** Creates a file unless it exists. If several processes try at once, one wins, and all see its content. */
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

/** Passes a complete and synced draft to `place`, and removes it afterwards. */
function withDraft<Placed>(file: string, content: string, place: (draft: string) => Placed): Placed {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const descriptor = openSync(draft, 'wx', PRIVATE);
  try {
    try {
      // Not `writeSync`, which may write only a part on a disk that is nearly full.
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
