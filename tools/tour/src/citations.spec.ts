import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anchorsIn, lostIn, type AnchorsOf } from './citations.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const BUILT = /(?:^|\/)(?:dist|node_modules)\//;

function filesBelow(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .filter((path) => path.endsWith(ending) && !BUILT.test(path))
    .sort();
}

const known = new Map<string, ReadonlySet<string> | undefined>();
const anchorsOf: AnchorsOf = (page) => {
  if (!known.has(page)) {
    const isPage = existsSync(join(root, page)) && page.endsWith('.md');
    const anchors = isPage ? anchorsIn(readFileSync(join(root, page), 'utf8')) : new Set<string>();
    known.set(page, existsSync(join(root, page)) ? anchors : undefined);
  }
  return known.get(page);
};
const lostOf = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => lostIn(path, readFileSync(join(root, path), 'utf8'), anchorsOf));

describe('Citations and links lead to a page that is there and to a heading of it:', () => {
  it('those of the pages', () => {
    const pages = ['README.md', ...filesBelow('docs', '.md')];
    expect(pages).toContain('docs/spec/payments.md');
    expect(lostOf(pages)).toEqual([]);
  });

  it('those of the code', () => {
    const sources = ['apps', 'libs', 'tools'].flatMap((folder) => filesBelow(folder, '.ts'));
    expect(sources.length).toBeGreaterThan(100);
    expect(lostOf(sources)).toEqual([]);
  });
});

describe('A citation or link that leads nowhere', () => {
  /** Put together here, so that these lines are not taken for citations themselves. */
  const page = ['docs', 'here.md'].join('/');
  const nowhere = ['docs', 'nowhere.md'].join('/');
  const anchors = anchorsIn('# Title\n## Which `code` wins\n## Twice\n```\n## Code\n```\n## Twice\n');
  const found: AnchorsOf = (path) => (path === page || path === 'README.md' ? anchors : undefined);
  const lost = (path: string, text: string) => lostIn(path, text, found);

  it('is named with its file and line', () => {
    expect(lost('libs/a.ts', `\n/** \`${nowhere}\`. */`)).toEqual([`libs/a.ts:2: ${nowhere}`]);
    expect(lost('libs/a.ts', `// ${page}#missing`)).toEqual([`libs/a.ts:1: ${page}#missing`]);
    expect(lost(page, '[a](gone.md) [b](#missing)')).toEqual([
      `${page}:1: ${['docs', 'gone.md'].join('/')}`,
      `${page}:1: ${page}#missing`,
    ]);
    expect(lost('README.md', `[a](${nowhere})`)).toEqual([`README.md:1: ${nowhere}`]);
    expect(lost('libs/a.ts', '// see [a](../gone.md)')).toEqual(['libs/a.ts:1: gone.md']);
  });

  it('is none of those that lead somewhere', () => {
    expect(lost('libs/a.ts', `(\`${page}#which-code-wins\`), ${page}#twice-1.`)).toEqual([]);
    expect(lost(page, '[a](here.md#twice) [b](../README.md) [c](#title)')).toEqual([]);
  });

  it('is none in code, and none that leads out of the repository', () => {
    expect(lost(page, '```\n[a](gone.md)\n```\n`[a](gone.md)` [b](https://example.com/a.md)')).toEqual([]);
    expect(lost('libs/a.ts', 'handlers[0](argument)')).toEqual([]);
    expect(lost('libs/a.ts', "const text = '[a](gone.md)';")).toEqual([]);
  });

  it('is one whose heading is in code only', () => {
    expect(lost(page, '[a](#code)')).toEqual([`${page}:1: ${page}#code`]);
  });
});
