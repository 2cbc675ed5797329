import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { thirdPartyLicenses } from './third-party.licenses.js';

describe('the licences of a bundle', () => {
  let folder: string;
  const put = (path: string, text: string): string => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'licenses-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('has each third-party package once, with version, licence and text', async () => {
    put('node_modules/@scope/a/package.json', '{"name":"@scope/a","version":"1.2.3","license":"MIT"}');
    put('node_modules/@scope/a/LICENSE.md', 'Copyright A');
    put(
      'node_modules/@scope/a/node_modules/b/package.json',
      '{"name":"b","version":"2.0.0","license":{"type":"ISC"},"author":{"name":"Bea"}}',
    );
    const modules = [
      put('node_modules/@scope/a/index.js', ''),
      put('node_modules/@scope/a/lib/deep.js', ''),
      put('node_modules/@scope/a/node_modules/b/index.js', ''),
      put('libs/own/dist/index.js', ''),
    ];
    const text = await thirdPartyLicenses(modules, '/*! Copyright C */');
    expect(text.split(`\n\n${'-'.repeat(80)}\n\n`)).toEqual([
      'Third-party packages in this bundle',
      '@scope/a 1.2.3\nLicence: MIT\n\nCopyright A',
      'b 2.0.0\nLicence: ISC\nAuthor: Bea',
      'Licence comments in their sources\n\n/*! Copyright C */\n',
    ]);
  });
});
