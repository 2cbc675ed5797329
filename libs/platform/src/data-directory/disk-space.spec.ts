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

describe('The free space of the disk', () => {
  it('is measured for this user', async () => {
    const free = (await watchDisk(folder, 0).free()) / 1_048_576;
    expect(Math.abs(free - freeMb())).toBeLessThan(1_000);
  });

  it('is no trouble while it is at least the required space', async () => {
    expect(await watchDisk(folder, 1).trouble()).toBeUndefined();
  });

  it('is trouble below the required space, with both numbers', async () => {
    const required = freeMb() + 100_000;
    const trouble = await watchDisk(folder, required).trouble();
    expect(trouble).toMatch(
      new RegExp(`^\\d+ MB are free on the disk of DATA_DIR, and MIN_FREE_DISK_MB is ${required}$`),
    );
  });

  it('is trouble if it can not be measured, unless no space is required', async () => {
    rmSync(folder, { recursive: true });
    expect(await watchDisk(folder, 1).trouble()).toMatch(
      /^the free space of DATA_DIR can not be measured: .*ENOENT/,
    );
    expect(await watchDisk(folder, 0).trouble()).toBeUndefined();
  });
});
