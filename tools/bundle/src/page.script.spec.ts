import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { bundlePageScript } from './page.script.js';

describe('A script for pages', () => {
  let folder: string;
  const put = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const bundled = async (): Promise<string> => {
    const file = join(folder, 'bundled/greeting.js');
    await bundlePageScript(folder, { entry: join(folder, 'index.js'), file, global: 'Greeting' });
    return readFileSync(file, 'utf8');
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'page-script-'));
    put('package.json', '{"name":"@shop/greeting","version":"1.2.3","license":"MIT","type":"module"}');
    put('word.js', "export const word = 'hello';");
    put('index.js', "import { word } from './word.js'; export const greet = (name) => `${word} ${name}`;");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is one file without modules, with the exports in one variable', async () => {
    const page: { Greeting?: { greet(name: string): string } } = {};
    runInNewContext(await bundled(), page);
    expect(Object.keys(page)).toEqual(['Greeting']);
    expect(page.Greeting?.greet('Ann')).toBe('hello Ann');
  });

  it('begins with its name, version and licence', async () => {
    expect(await bundled()).toMatch(/^\/\*! @shop\/greeting 1\.2\.3 \| MIT \*\/\n/);
  });

  it('stays as it was if a module is missing', async () => {
    const before = await bundled();
    rmSync(join(folder, 'word.js'));
    await expect(bundled()).rejects.toThrow('word.js');
    expect(readFileSync(join(folder, 'bundled/greeting.js'), 'utf8')).toBe(before);
  });
});
