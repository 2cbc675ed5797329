import { posix } from 'node:path';

/** A reference from a text to a page of this repository, perhaps to a heading. */
interface Citation {
  readonly line: number;
  /** Path from the root of the repository. */
  readonly page: string;
  /** GitHub's anchor of the heading; undefined for the page as a whole. */
  readonly anchor: string | undefined;
}

/** Returns the anchors of a page; undefined if there is no such file. */
export type AnchorsOf = (page: string) => ReadonlySet<string> | undefined;

const CITED = /(?<![\w./-])(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g;
const LINK = /\]\(([^()\s]+)\)/g;
const FENCE = /^\s*(?:```|~~~)/;
const COMMENT_LINE = /^\s*(?:\/?\*|\/\/)/;
const WITH_SCHEME = /^(?:[a-z][a-z+.-]*:|\/)/i;

/** Finds pages that a text names by their path from the root, with or without `#heading`. */
function citationsIn(text: string): Citation[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(CITED)].map(([, page = '', anchor]) => ({ line: index + 1, page, anchor })),
    );
}

/**
 * Relative Markdown links, outside of code. In TypeScript only lines of comments have them.
 *
 * @param path of the file that has the text, from the root
 */
function linksIn(path: string, text: string): Citation[] {
  const isPage = path.endsWith('.md');
  let fenced = false;
  return text.split('\n').flatMap((line, index) => {
    if (isPage && FENCE.test(line)) fenced = !fenced;
    if (fenced || (!isPage && !COMMENT_LINE.test(line))) return [];
    return [...line.replace(/`[^`]*`/g, '').matchAll(LINK)].flatMap(([, target = '']) => {
      const [to = '', anchor] = target.split('#');
      if (WITH_SCHEME.test(target)) return [];
      const page = to === '' ? path : posix.join(posix.dirname(path), to);
      return [{ line: index + 1, page, anchor }];
    });
  });
}

/** The anchors that GitHub gives to the headings of a page. */
export function anchorsIn(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  let fenced = false;
  for (const line of page.split('\n')) {
    if (FENCE.test(line)) fenced = !fenced;
    const [, heading] = /^#{1,6}\s+(.*?)\s*#*$/.exec(line) ?? [];
    if (fenced || heading === undefined) continue;
    const anchor = anchorOf(heading);
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** Returns the citations without a target as `file:line: target`. */
export function brokenCitations(path: string, text: string, anchorsOf: AnchorsOf): string[] {
  // A link to docs/… in README.md is a citation too.
  const broken = [...citationsIn(text), ...linksIn(path, text)].flatMap(({ line, page, anchor }) => {
    const anchors = anchorsOf(page);
    const leads = anchors !== undefined && (anchor === undefined || anchors.has(anchor));
    return leads ? [] : [`${path}:${line}: ${page}${anchor === undefined ? '' : `#${anchor}`}`];
  });
  return [...new Set(broken)];
}
