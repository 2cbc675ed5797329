import ts from 'typescript';
import type { SourceText } from './workspace.js';

/** An import of any syntax. */
export interface Import {
  /** Undefined if the specifier is computed. */
  readonly specifier: string | undefined;
  readonly line: number;
  /** The compiler removes the import. */
  readonly typeOnly: boolean;
}

export interface SourceFile {
  readonly path: string;
  readonly tree: ts.SourceFile;
  /** A spec, or a file that only specs and contract suites use. */
  readonly isTest: boolean;
  readonly imports: readonly Import[];
}

/** @param madeForTests the package has test code only */
export function parse({ path, text }: SourceText, madeForTests = false): SourceFile {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  return { path, tree, isTest: madeForTests || isTestPath(path), imports: importsOf(tree) };
}

export function isTestPath(path: string): boolean {
  return /\.(spec|testing|fixture|contract)\.[cm]?tsx?$/.test(path) || /\/src\/(?:.*\/)?testing\//.test(path);
}

/** A spec of `npm run test:e2e`. */
export function isE2eSpec(path: string): boolean {
  return path.endsWith('.e2e.spec.ts');
}

function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
}

/** All nodes, depth first. */
export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* nodesOf(child);
}

function importsOf(tree: ts.SourceFile): Import[] {
  const found: Import[] = [];
  const add = (node: ts.Node, specifier: ts.Node | undefined, typeOnly: boolean): void => {
    const literal = specifier && ts.isStringLiteralLike(specifier) ? specifier.text : undefined;
    found.push({ specifier: literal, line: lineOf(tree, node), typeOnly });
  };
  for (const node of nodesOf(tree)) {
    if (ts.isImportDeclaration(node)) add(node, node.moduleSpecifier, isTypeImport(node.importClause));
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      add(node, node.moduleSpecifier, node.isTypeOnly || areTypes(node.exportClause));
    } else if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
      add(node, node.moduleReference.expression, node.isTypeOnly);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node, node.argument.literal, true);
    } else if (ts.isCallExpression(node) && isModuleCall(node)) add(node, node.arguments[0], false);
  }
  return found;
}

/** `import(…)`, `require(…)`, `require.resolve(…)` and `import.meta.resolve(…)`. */
function isModuleCall({ expression }: ts.CallExpression): boolean {
  if (expression.kind === ts.SyntaxKind.ImportKeyword) return true;
  if (ts.isIdentifier(expression)) return expression.text === 'require';
  if (!ts.isPropertyAccessExpression(expression) || expression.name.text !== 'resolve') return false;
  const { expression: of } = expression;
  return ts.isMetaProperty(of) || (ts.isIdentifier(of) && of.text === 'require');
}

/** `import {} from 'x'` and `import 'x'` run the module, so they are no type imports. */
function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  return clause.name === undefined && areTypes(clause.namedBindings);
}

function areTypes(names: ts.NamedImportBindings | ts.NamedExportBindings | undefined): boolean {
  if (!names || !(ts.isNamedImports(names) || ts.isNamedExports(names))) return false;
  return names.elements.length > 0 && names.elements.every(({ isTypeOnly }) => isTypeOnly);
}
