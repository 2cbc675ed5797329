import ts from 'typescript';
import { MAX_LINES } from './rules.table.js';
import { lineOf, nodesOf, type SourceFile } from './source.file.js';
import type { Violation } from './violation.js';

const UNFINISHED = /\b(TODO|FIXME|XXX|HACK)\b/;
const SILENCED = /@ts-(ignore|nocheck)\b/;
const FOCUS_NAMES = ['fdescribe', 'fit', 'xdescribe', 'xit', 'xtest'];
const FOCUS_MEMBERS = ['only', 'skip', 'todo'];

/** Checks length, focused and skipped tests, unfinished work and swallowed errors. */
export function checkStyle(file: SourceFile): Violation[] {
  return [...checkLength(file), ...checkComments(file), ...checkFocus(file)];
}

function checkLength({ path, text }: SourceFile): Violation[] {
  const lines = text.trimEnd().split('\n').length;
  if (lines <= MAX_LINES) return [];
  return [{ rule: 'too-long', where: path, message: `has ${lines} lines; at most ${MAX_LINES} are allowed` }];
}

function checkComments({ path, text, tree }: SourceFile): Violation[] {
  const found: Violation[] = [];
  for (const { pos, end } of commentsOf(tree, text)) {
    const comment = text.slice(pos, end);
    const where = `${path}:${tree.getLineAndCharacterOfPosition(pos).line + 1}`;
    const unfinished = UNFINISHED.exec(comment)?.[1];
    const silenced = SILENCED.exec(comment)?.[0];
    if (unfinished) found.push({ rule: 'unfinished', where, message: `says ${unfinished}` });
    if (silenced) found.push({ rule: 'silenced-compiler', where, message: `says ${silenced}` });
  }
  return found;
}

function checkFocus({ path, tree, isTest }: SourceFile): Violation[] {
  if (!isTest) return [];
  const found: Violation[] = [];
  for (const node of nodesOf(tree)) {
    const focus = focusOf(node);
    if (focus === undefined) continue;
    const where = `${path}:${lineOf(tree, node)}`;
    found.push({ rule: 'focused-test', where, message: `${focus} keeps tests from running` });
  }
  return found;
}

/**
 * Finds `it.only`, `describe.skip.each`, `xit` and the like. A choice such as `canMount ? describe : describe.skip` is
 * allowed, because it depends on the machine.
 */
function focusOf(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node) && FOCUS_MEMBERS.includes(node.name.text)) {
    if (node.name.text === 'skip' && ts.isConditionalExpression(node.parent)) return undefined;
    return /^(describe|it|test)\b/.test(node.expression.getText()) ? node.getText() : undefined;
  }
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    return FOCUS_NAMES.includes(node.expression.text) ? node.expression.text : undefined;
  }
  return undefined;
}

/** Reads comments around tokens, so that strings which look like comments do not count. */
function commentsOf(tree: ts.SourceFile, text: string): ts.CommentRange[] {
  const found = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(tree);
    if (children.length > 0) return children.forEach(visit);
    const around = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const range of around) found.set(range.pos, range);
  };
  visit(tree);
  return [...found.values()];
}
