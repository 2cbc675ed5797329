import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathReferencesIn } from './path.references.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** A command writes this page; it may not exist yet. */
const NOT_YET_THERE = ['docs/benchmarks.md'];

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
];

describe('Every path that a page names exists:', () => {
  it.each(pages)('%s', (page) => {
    const broken = pathReferencesIn(readFileSync(join(root, page), 'utf8'))
      .filter(({ path }) => !NOT_YET_THERE.includes(path))
      .flatMap(({ line, path, names }) => missing(path, names).map((target) => `${page}:${line}: ${target}`));
    expect(broken).toEqual([]);
  });

  it('paths, and the names that a file must have', () => {
    expect(pathReferencesIn('See `libs/domain/src/a.ts` and `b`.')).toEqual([
      { line: 1, path: 'libs/domain/src/a.ts', names: [] },
    ]);
    expect(pathReferencesIn('| rule | `libs/a.ts` | `one`, `two` |')).toEqual([
      { line: 1, path: 'libs/a.ts', names: ['one', 'two'] },
    ]);
    expect(pathReferencesIn('| rule | `libs/a.ts` | `one` | `libs/a.spec.ts` |')).toEqual([
      { line: 1, path: 'libs/a.ts', names: ['one'] },
      { line: 1, path: 'libs/a.spec.ts', names: [] },
    ]);
    expect(missing('libs/nowhere.ts', [])).toEqual(['libs/nowhere.ts']);
    expect(missing('README.md', ['noSuchFunction'])).toEqual(['README.md: noSuchFunction']);
  });
});

function missing(path: string, names: readonly string[]): string[] {
  const file = join(root, path);
  // A page may name an ADR by its number.
  const [folder, name = ''] = [join(file, '..'), path.split('/').at(-1)];
  const isThere =
    existsSync(file) || (existsSync(folder) && readdirSync(folder).some((one) => one.startsWith(`${name}-`)));
  if (!isThere) return [path];
  if (names.length === 0 || statSync(file).isDirectory()) return [];
  const text = readFileSync(file, 'utf8');
  return names.filter((one) => !new RegExp(`\\b${one}\\b`).test(text)).map((one) => `${path}: ${one}`);
}
