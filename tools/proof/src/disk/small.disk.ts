import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BALLAST = 'ballast';

/** A tmpfs, small enough to be filled. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  /** Returns undefined if the user may not mount. */
  static mount(mebibytes: number): SmallDisk | undefined {
    const folder = mkdtempSync(join(tmpdir(), 'tillstream-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], {
        stdio: 'ignore',
      });
      return new SmallDisk(folder);
    } catch {
      rmSync(folder, { recursive: true, force: true });
      return undefined;
    }
  }

  fill(): void {
    const file = openSync(join(this.folder, BALLAST), 'a');
    try {
      for (const size of [1_048_576, 65_536, 4_096, 512]) {
        const block = Buffer.alloc(size);
        while (wrote(file, block));
      }
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(join(this.folder, BALLAST), { force: true });
  }

  /** Returns false if a file on it is open for writing. */
  remount(how: 'ro' | 'rw'): boolean {
    try {
      execFileSync('mount', ['-o', `remount,${how}`, this.folder], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function wrote(file: number, block: Buffer): boolean {
  try {
    return writeSync(file, block) === block.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}
