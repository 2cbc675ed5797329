/** A file of this repository that a page names, and the names that it should hold. */
export interface Place {
  readonly line: number;
  readonly path: string;
  readonly names: readonly string[];
}

const PATH = /`((?:\.ci|apps|docs|libs|tools)\/[\w./-]+)`/g;
const ROW = /^\|[^|]+\| `([\w./-]+)` \| ((?:`\w+`(?:, )?)+) \|$/;

/** Every path in backticks; in tables of rule, file and function the function too. */
export function placesIn(page: string): Place[] {
  return page.split('\n').flatMap((text, index) => {
    const line = index + 1;
    const [, path, functions] = ROW.exec(text) ?? [];
    if (path !== undefined && path.includes('/')) {
      return [{ line, path, names: (functions ?? '').split(', ').map((name) => name.replaceAll('`', '')) }];
    }
    return [...text.matchAll(PATH)].map(([, found = '']) => ({ line, path: found, names: [] }));
  });
}
