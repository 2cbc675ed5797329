/** A file of this repository that a page names, and the names that the file must have. */
export interface PathReference {
  readonly line: number;
  readonly path: string;
  readonly names: readonly string[];
}

const PATH = /`((?:\.ci|apps|docs|libs|tools)\/[\w./-]+)`/g;
const ROW = /^\|[^|]+\| `([\w./-]+)` \| ((?:`\w+`(?:, )?)+) \|$/;

/** Finds every path in backticks; in tables of rule, file and function also the functions. */
export function pathReferencesIn(page: string): PathReference[] {
  return page.split('\n').flatMap((text, index) => {
    const line = index + 1;
    const [, path, functions] = ROW.exec(text) ?? [];
    if (path !== undefined && path.includes('/')) {
      return [{ line, path, names: (functions ?? '').split(', ').map((name) => name.replaceAll('`', '')) }];
    }
    return [...text.matchAll(PATH)].map(([, found = '']) => ({ line, path: found, names: [] }));
  });
}
