import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anchorsIn, brokenCitations, type AnchorsOf } from './citations.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const ROOMS = ['apps', 'docs', 'examples', 'libs', 'tools'];
const BUILT = /(?:^|\/)(?:dist|node_modules)\//;

const CODE = ['.ts', '.tsx', '.js', '.mjs', '.css', '.sh', '.yml', '.json'];

function filesBelow(folder: string, ...endings: readonly string[]): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .filter((path) => endings.some((ending) => path.endsWith(ending)) && !BUILT.test(path))
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
const brokenIn = (paths: readonly string[]): string[] =>
  paths.flatMap((path) => brokenCitations(path, readFileSync(join(root, path), 'utf8'), anchorsOf));

describe('Citations and links lead to a page that is there and to a heading of it:', () => {
  it('those of the pages', () => {
    const pages = ['README.md', ...ROOMS.flatMap((folder) => filesBelow(folder, '.md'))];
    expect(pages).toContain('docs/spec/payments.md');
    expect(brokenIn(pages)).toEqual([]);
  });

  it('those of the code', () => {
    const sources = ROOMS.flatMap((folder) => filesBelow(folder, ...CODE));
    expect(sources.length).toBeGreaterThan(100);
    expect(brokenIn(sources)).toEqual([]);
  });
});

describe('A citation or link that leads nowhere', () => {
  /** Joined here, so that these lines are no citations themselves. */
  const page = ['docs', 'here.md'].join('/');
  const nowhere = ['docs', 'nowhere.md'].join('/');
  const anchors = anchorsIn('# Title\n## Which `code` wins\n## Twice\n```\n## Code\n```\n## Twice\n');
  const found: AnchorsOf = (path) => (path === page || path === 'README.md' ? anchors : undefined);
  const broken = (path: string, text: string) => brokenCitations(path, text, found);

  it('is named with its file and line', () => {
    expect(broken('libs/a.ts', `\n/** \`${nowhere}\`. */`)).toEqual([`libs/a.ts:2: ${nowhere}`]);
    expect(broken('libs/a.ts', `// ${page}#missing`)).toEqual([`libs/a.ts:1: ${page}#missing`]);
    expect(broken(page, '[a](gone.md) [b](#missing)')).toEqual([
      `${page}:1: ${['docs', 'gone.md'].join('/')}`,
      `${page}:1: ${page}#missing`,
    ]);
    expect(broken('README.md', `[a](${nowhere})`)).toEqual([`README.md:1: ${nowhere}`]);
    expect(broken('libs/a.ts', '// see [a](../gone.md)')).toEqual(['libs/a.ts:1: gone.md']);
  });

  it('is none of those that lead somewhere', () => {
    expect(broken('libs/a.ts', `(\`${page}#which-code-wins\`), ${page}#twice-1.`)).toEqual([]);
    expect(broken(page, '[a](here.md#twice) [b](../README.md) [c](#title)')).toEqual([]);
  });

  it('is none in code, and none that leads out of the repository', () => {
    expect(broken(page, '```\n[a](gone.md)\n```\n`[a](gone.md)` [b](https://example.com/a.md)')).toEqual([]);
    expect(broken('libs/a.ts', 'handlers[0](argument)')).toEqual([]);
    expect(broken('libs/a.ts', "const text = '[a](gone.md)';")).toEqual([]);
  });

  it('is one whose heading is in code only', () => {
    expect(broken(page, '[a](#code)')).toEqual([`${page}:1: ${page}#code`]);
  });
});
