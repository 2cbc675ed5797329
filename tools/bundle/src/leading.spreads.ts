import ts from 'typescript';

/** The same program, where a literal that begins with a spread and goes on spreads nothing first (`node.defects.ts`). */
export function withoutLeadingSpreads(program: string): string {
  const source = ts.createSourceFile('program.js', program, ts.ScriptTarget.ES2022, false, ts.ScriptKind.JS);
  const pieces: string[] = [];
  let copied = 0;
  // In the order of the text, since a literal comes before those in it.
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const [first, ...others] = node.properties;
      if (first && ts.isSpreadAssignment(first) && others.length > 0) {
        const start = first.getStart(source);
        pieces.push(program.slice(copied, start), '...null,');
        copied = start;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return pieces.join('') + program.slice(copied);
}
