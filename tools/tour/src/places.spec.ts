import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { placesIn } from './places.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Written by a command, and named before it was. */
const NOT_YET_THERE = ['docs/benchmarks.md'];

const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `docs/${path}`),
];

describe('What the pages point at is there:', () => {
  it.each(pages)('%s', (page) => {
    const lost = placesIn(readFileSync(join(root, page), 'utf8'))
      .filter(({ path }) => !NOT_YET_THERE.includes(path))
      .flatMap(({ line, path, names }) => missing(path, names).map((what) => `${page}:${line}: ${what}`));
    expect(lost).toEqual([]);
  });

  it('of a path and of a function', () => {
    expect(placesIn('See `libs/domain/src/a.ts` and `b`.')).toEqual([
      { line: 1, path: 'libs/domain/src/a.ts', names: [] },
    ]);
    expect(placesIn('| rule | `libs/a.ts` | `one`, `two` |')).toEqual([
      { line: 1, path: 'libs/a.ts', names: ['one', 'two'] },
    ]);
    expect(missing('libs/nowhere.ts', [])).toEqual(['libs/nowhere.ts']);
    expect(missing('README.md', ['noSuchFunction'])).toEqual(['README.md: noSuchFunction']);
  });
});

function missing(path: string, names: readonly string[]): string[] {
  const file = join(root, path);
  // An ADR may be named by its number alone.
  const [folder, name = ''] = [join(file, '..'), path.split('/').at(-1)];
  const isThere =
    existsSync(file) || (existsSync(folder) && readdirSync(folder).some((one) => one.startsWith(`${name}-`)));
  if (!isThere) return [path];
  if (names.length === 0 || statSync(file).isDirectory()) return [];
  const text = readFileSync(file, 'utf8');
  return names.filter((one) => !new RegExp(`\\b${one}\\b`).test(text)).map((one) => `${path}: ${one}`);
}
