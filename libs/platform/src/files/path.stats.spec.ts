import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathExists } from './path.stats.js';

describe('What is at a path', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tillstream-there-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is there, or is not', () => {
    writeFileSync(join(folder, 'file'), '');
    expect([folder, join(folder, 'file'), join(folder, 'nothing')].map(pathExists)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is not called missing where nobody can tell', () => {
    // A folder that may not be entered is none for root, as which this may run; a link to itself is, for everybody.
    const link = join(folder, 'link');
    symlinkSync(link, link);
    expect(() => pathExists(link)).toThrow(`"${link}" can not be looked at: ELOOP.`);
  });
});
