import ts from 'typescript';
import { IMPURE_GLOBALS, IMPURE_MEMBERS, LIBRARIES, SCOPE } from './rules.table.js';
import { lineOf, nodesOf, type SourceFile } from './source.file.js';
import type { Violation } from './violation.js';
import type { Package } from './workspace.js';

/** A pure package uses no clock, no random source, no input and no output. Its specs and testing files are free. */
export function checkPurity(
  { name, kind, folder }: Package,
  { path, tree, isTest }: SourceFile,
): Violation[] {
  const pure = kind === 'libs' && LIBRARIES[name.slice(SCOPE.length)]?.pure === true;
  if (!pure || isTest) return [];
  const found: Violation[] = [];
  for (const node of nodesOf(tree)) {
    const impurity = impurityOf(node);
    if (impurity === undefined) continue;
    const where = `${path}:${lineOf(tree, node)}`;
    found.push({ rule: 'pure', where, message: `${folder} is pure and can't use ${impurity}` });
  }
  return found;
}

function impurityOf(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const member = `${node.expression.text}.${node.name.text}`;
    return IMPURE_MEMBERS.includes(member) ? member : undefined;
  }
  if (ts.isMetaProperty(node)) return 'import.meta';
  if (ts.isIdentifier(node)) return IMPURE_GLOBALS.includes(node.text) && isUse(node) ? node.text : undefined;
  return dateImpurity(node);
}

function dateImpurity(node: ts.Node): string | undefined {
  // Without arguments they read the clock; `Date()` does so with any.
  if (ts.isNewExpression(node) && isNamed(node.expression, 'Date')) {
    return (node.arguments ?? []).length === 0 ? 'new Date()' : undefined;
  }
  if (ts.isCallExpression(node) && isNamed(node.expression, 'Date')) return 'Date()';
  if (ts.isVariableDeclaration(node) && node.initializer && ts.isObjectBindingPattern(node.name)) {
    return isNamed(node.initializer, 'Date') || isNamed(node.initializer, 'Math')
      ? `a part of ${node.initializer.getText()}; call it by its full name`
      : undefined;
  }
  return undefined;
}

function isNamed(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}

/** Whether the name is used as a value: not as a member, property, parameter or type. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isBindingElement(parent) || ts.isParameter(parent) || ts.isVariableDeclaration(parent)) {
    return parent.initializer === node;
  }
  if (ts.isTypeElement(parent) || ts.isTypeReferenceNode(parent) || ts.isQualifiedName(parent)) return false;
  return !ts.isClassElement(parent) && !ts.isImportSpecifier(parent) && !ts.isExportSpecifier(parent);
}
