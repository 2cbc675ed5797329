import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchDisk } from './disk-space.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillstream-space-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const freeMb = () => {
  const { bavail, bsize } = statfsSync(folder);
  return Math.floor((bavail * bsize) / 1_048_576);
};

describe('The room on the disk', () => {
  it('is what this user may still write there', async () => {
    const free = (await watchDisk(folder, 0).free()) / 1_048_576;
    expect(Math.abs(free - freeMb())).toBeLessThan(1_000);
  });

  it('is no trouble while there is as much as is asked for', async () => {
    expect(await watchDisk(folder, 1).trouble()).toBeUndefined();
  });

  it('below that is trouble, and says how much there is and what is asked for', async () => {
    const wanted = freeMb() + 100_000;
    const trouble = await watchDisk(folder, wanted).trouble();
    expect(trouble).toMatch(
      new RegExp(`^\\d+ MB are free on the disk of DATA_DIR, and MIN_FREE_DISK_MB is ${wanted}$`),
    );
  });

  it('that can not be told is trouble, unless nobody asks for any', async () => {
    rmSync(folder, { recursive: true });
    expect(await watchDisk(folder, 1).trouble()).toMatch(
      /^the free space of DATA_DIR can not be told: .*ENOENT/,
    );
    expect(await watchDisk(folder, 0).trouble()).toBeUndefined();
  });
});
