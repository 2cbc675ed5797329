import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bundle, bundleOf, licensesOf } from './bundle.js';
import { PROGRAMS } from './programs.js';

const ROOT = new URL('../../../', import.meta.url);

describe('a bundle', () => {
  let folder: string;
  let program: string;
  const put = (path: string, text: string): string => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const run = (): string => execFileSync(process.execPath, [bundleOf(program)], { encoding: 'utf8' });

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'bundle-')));
    put('package.json', '{"type":"module"}');
    put('libs/greeting/dist/word.txt', 'hello');
    put(
      'libs/greeting/dist/deep/greeting.js',
      `import { readFileSync } from 'node:fs';
       export const greeting = () => readFileSync(new URL('../word.txt', import.meta.url), 'utf8');`,
    );
    put(
      'node_modules/old/package.json',
      '{"name":"old","version":"1.0.0","license":"MIT","main":"index.js"}',
    );
    put('node_modules/old/LICENSE', 'Copyright Old');
    put('node_modules/old/index.js', `const { sep } = require('node:path'); module.exports = { sep };`);
    program = put(
      'apps/greeter/dist/main.js',
      `import { greeting } from '../../../libs/greeting/dist/deep/greeting.js';
       import old from 'old';
       process.stdout.write(greeting() + old.sep);`,
    );
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is one file that does what the program does, with modules of both kinds', async () => {
    await bundle(program);
    rmSync(join(folder, 'libs/greeting/dist/deep'), { recursive: true });
    rmSync(join(folder, 'node_modules'), { recursive: true });
    expect(run()).toBe('hello/');
  });

  it('finds the files of each module where the module lay', async () => {
    await bundle(program);
    put('libs/greeting/dist/word.txt', 'good morning');
    expect(run()).toBe('good morning/');
  });

  it('has a source map that names the line of a module, without a copy of the source', async () => {
    put(
      'libs/greeting/dist/deep/greeting.js',
      `// A line more.
       export const greeting = () => { throw new Error('no greeting'); };`,
    );
    await bundle(program);
    const { sources, sourcesContent } = JSON.parse(readFileSync(`${bundleOf(program)}.map`, 'utf8')) as {
      sources: string[];
      sourcesContent?: unknown;
    };
    expect([sources.some((one) => one.endsWith('deep/greeting.js')), sourcesContent]).toEqual([
      true,
      undefined,
    ]);
    const { stderr } = spawnSync(process.execPath, ['--enable-source-maps', bundleOf(program)], {
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/no greeting[^]* at greeting \S*deep\/greeting\.js:2:/);
  });

  it('has the licences of its packages beside it', async () => {
    await bundle(program);
    expect(readFileSync(licensesOf(bundleOf(program)), 'utf8')).toContain(
      'old 1.0.0\nLicence: MIT\n\nCopyright Old',
    );
  });

  it('stays as it was where a module is missing, which is named', async () => {
    await bundle(program);
    writeFileSync(program, `import './missing.js';`);
    await expect(bundle(program)).rejects.toThrow('./missing.js');
    expect(run()).toBe('hello/');
  });
});

it('everything that is started was bundled by the build', () => {
  for (const program of PROGRAMS) {
    const file = new URL(bundleOf(program), ROOT);
    expect([program, existsSync(file)]).toEqual([program, true]);
    expect(readFileSync(file, 'utf8')).not.toMatch(/from ?["']@tillstream/);
  }
});
