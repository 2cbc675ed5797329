/** A file of this repository that a page names, and the names that the file must have. */
interface PathReference {
  readonly line: number;
  readonly path: string;
  readonly names: readonly string[];
}

const PATH = /`((?:\.ci|apps|docs|examples|libs|tools)\/[\w./-]+)`/g;
const ROW = /^\|[^|]+\| `([\w./-]+\/[\w./-]+)` \| ((?:`\w+`(?:, )?)+) \|(?: `([\w./-]+)` \|)?$/;

/** Finds every path in backticks; in tables of rule, file, names and test also the names that the file must have. */
export function pathReferencesIn(page: string): PathReference[] {
  return page.split('\n').flatMap((text, index) => {
    const line = index + 1;
    const [, path, names = '', test] = ROW.exec(text) ?? [];
    if (path === undefined)
      return [...text.matchAll(PATH)].map(([, path = '']) => ({ line, path, names: [] }));
    const rule = { line, path, names: names.replaceAll('`', '').split(', ') };
    return test === undefined ? [rule] : [rule, { line, path: test, names: [] }];
  });
}
