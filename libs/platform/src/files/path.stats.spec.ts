import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathExists } from './path.stats.js';

describe('A path', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-there-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('exists or does not exist', () => {
    writeFileSync(join(folder, 'file'), '');
    expect([folder, join(folder, 'file'), join(folder, 'nothing')].map(pathExists)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('does not count as missing if it can not be read', () => {
    // Root may enter every folder, and the test may run as root. A link to itself is an error for every user.
    const link = join(folder, 'link');
    symlinkSync(link, link);
    expect(() => pathExists(link)).toThrow(`"${link}" can not be read: ELOOP.`);
  });
});
