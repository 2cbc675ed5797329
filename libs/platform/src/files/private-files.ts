import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/* Files and directories for their owner only. */

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

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
  const descriptor = openSync(draft, 'wx', FILE_MODE);
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

/**
 * Creates a directory and its missing parents, for their owner only. Not by `recursive` of Node, which never returns below
 * `/proc`.
 * @throws the system's error if the path is a file or can't be created
 */
export function makePrivateDirectory(directory: string): void {
  try {
    makeOne(directory);
  } catch (error) {
    const above = dirname(directory);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === directory) throw error;
    makePrivateDirectory(above);
    makeOne(directory);
  }
}

/** Accepts a directory that exists, also one that another process has just created. */
function makeOne(directory: string): void {
  try {
    mkdirSync(directory, { mode: DIRECTORY_MODE });
  } catch (error) {
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
