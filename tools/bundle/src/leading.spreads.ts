import ts from 'typescript';

/**
 * V8 before version 12 (Node 20) gives each object of a literal that begins with a spread and has more members a hidden
 * class of its own. Such an object takes seven times as long to create, is slow to read, and is kept until the next full
 * collection. `{ ...null, ...source, more }` means the same and avoids this. Remove it with the support of Node 20.
 */
export function leadingSpreadsAreSlow(v8: string = process.versions.v8): boolean {
  return Number.parseInt(v8, 10) < 12;
}

/** Returns the module with `...null,` at the beginning of each of these literals. */
export function withoutLeadingSpreads(module: string): string {
  const source = ts.createSourceFile('module.js', module, ts.ScriptTarget.ES2022, false, ts.ScriptKind.JS);
  const pieces: string[] = [];
  let copiedTo = 0;
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node) && node.properties.length > 1) {
      const [first] = node.properties;
      if (first && ts.isSpreadAssignment(first)) {
        const start = first.getStart(source);
        pieces.push(module.slice(copiedTo, start), '...null, ');
        copiedTo = start;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return pieces.join('') + module.slice(copiedTo);
}
