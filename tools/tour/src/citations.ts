import { posix } from 'node:path';

/** Where a text leads its reader: to a page of this repository, and perhaps to one of its headings. */
export interface Citation {
  readonly line: number;
  /** From the root of the repository. */
  readonly page: string;
  /** As GitHub makes it from the heading; undefined: the page as a whole. */
  readonly anchor: string | undefined;
}

/** The anchors of a page; undefined where there is no such file. A file without headings has none. */
export type AnchorsOf = (page: string) => ReadonlySet<string> | undefined;

const CITED = /(?<![\w./-])(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g;
const LINK = /\]\(([^()\s]+)\)/g;
const FENCE = /^\s*(?:```|~~~)/;
const COMMENT_LINE = /^\s*(?:\/?\*|\/\/)/;
const WITH_SCHEME = /^(?:[a-z][a-z+.-]*:|\/)/i;

/** Pages named by their path from the root, with or without `#heading`, in a page or in a comment. */
export function citationsIn(text: string): Citation[] {
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
export function linksIn(path: string, text: string): Citation[] {
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

/** What of a file leads nowhere, as `file:line: target`. */
export function lostIn(path: string, text: string, anchorsOf: AnchorsOf): string[] {
  // A link to docs/… in README.md is a citation too.
  const lost = [...citationsIn(text), ...linksIn(path, text)].flatMap(({ line, page, anchor }) => {
    const anchors = anchorsOf(page);
    const leads = anchors !== undefined && (anchor === undefined || anchors.has(anchor));
    return leads ? [] : [`${path}:${line}: ${page}${anchor === undefined ? '' : `#${anchor}`}`];
  });
  return [...new Set(lost)];
}
